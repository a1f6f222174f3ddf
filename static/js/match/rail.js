// Beside the table: talk, its end in view and how many lines came while it was closed; resigning, which asks first.
import { all, byId } from "../dom.js";

const chat = byId("chat");
const lines = () => all("#talk-log [data-talk]").length;
let read = lines();

function toEnd() {
  const log = byId("talk-log");
  log.scrollTop = log.scrollHeight;
}

export function countUnread() {
  const fresh = lines() - read;
  if (chat.open) {
    read = lines();
    if (fresh) toEnd();
  }
  const unread = byId("unread");
  unread.textContent = fresh > 0 && !chat.open ? fresh : "";
  unread.hidden = chat.open || fresh <= 0;
}

chat?.addEventListener("toggle", () => {
  countUnread();
  toEnd();
});

document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
  if (detail.elt.id === "say" && detail.successful) detail.elt.reset();
});

// Resigning

function ask(asking, focus) {
  byId("foot").classList.toggle("is-asking", asking);
  focus().focus();
}

document.addEventListener("click", (event) => {
  const asked = event.target.closest("#resign");
  if (!asked && !event.target.closest("#keep-playing")) return;
  event.preventDefault();
  if (asked) ask(true, () => document.querySelector(".asked .button-danger"));
  else ask(false, () => byId("resign"));
});
