// Beside the table: the move list, which follows the play; talk, its end in view and how many lines came while it was closed; resigning, which asks first.
import { all, byId, root } from "../dom.js";

const LINE = 25; // pixels of a move: who is that near the end reads the latest

const moves = () => byId("moves");

/** Whether the end of the move list is in view; a reader who scrolled up is not torn away. */
export const readsTheLatest = () => moves().scrollHeight - moves().scrollTop - moves().clientHeight < LINE;

/** Whether one plays and may leave. */
export const mayLeave = () => Boolean(document.querySelector("#leave .button-danger"));

/** Something has come that a phone's rail would lie on. Whoever writes there goes on. */
export function closeRail() {
  if (location.hash === "#rail" && !document.activeElement?.matches("#chat input")) location.hash = "#main";
}

/** A swap has brought moves: whoever read the latest still does. */
export function followMoves(readLatest) {
  if (readLatest) moves().scrollTop = moves().scrollHeight;
}

/** The bar of a phone shows the latest move as the list has it, unless it tells of an end. */
export function tellNewest() {
  const bar = document.querySelector("#newest[data-follows]");
  if (!bar) return;
  const [number, mark, deed, worth] = moves().lastElementChild.cloneNode(true).children;
  byId("newest-mark").innerHTML = mark.lastElementChild.outerHTML;
  deed.querySelector(".whose")?.remove();
  bar.innerHTML = `${number.textContent} ${deed.innerHTML} ${worth?.outerHTML ?? ""}`;
}

const chat = byId("chat");
const lines = () => all("#talk-log [data-talk]").length;
let read = lines();

function toEnd() {
  const log = byId("talk-log").firstElementChild;
  log.scrollTop = log.scrollHeight;
}

// On a phone the talk may be open on a sheet that is not.
const isReading = () => chat.open && getComputedStyle(chat).visibility === "visible";

/** How many lines came unread stands at the talk; that some did, at the bar which a phone has in its place. */
export function countUnread() {
  if (isReading()) {
    if (lines() !== read) toEnd();
    read = lines();
  }
  const fresh = Math.max(0, lines() - read);
  const unread = byId("unread");
  unread.textContent = fresh || "";
  unread.hidden = chat.open || !fresh;
  root.toggleAttribute("data-unread", fresh > 0);
}

addEventListener("hashchange", countUnread);

const others = () => {
  const me = document.querySelector(".seat.mine")?.getAttribute("aria-label");
  return all("#talk-log [data-talk]").filter((line) => line.dataset.name !== me).length;
};
let heard = others();

/** Whether somebody else has said something since this was asked last. */
export function isSpokenTo() {
  const before = heard;
  heard = others();
  return heard > before;
}

chat?.addEventListener("toggle", () => {
  countUnread();
  toEnd();
});

document.addEventListener("click", (event) => {
  const reply = event.target.closest("[data-reply]");
  if (!reply?.form) return;
  event.preventDefault();
  reply.form.querySelector("input[name=text]").value = reply.value;
  reply.form.requestSubmit();
});

document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
  if (detail.elt.id === "say" && detail.successful) detail.elt.reset();
});

// Resigning

function ask(asking, focus) {
  byId("foot").classList.toggle("is-asking", asking);
  focus().focus();
}

/** Who plays no longer has nothing to answer. */
export function stopAsking() {
  if (!document.querySelector(".asked")) byId("foot").classList.remove("is-asking");
}

document.addEventListener("click", (event) => {
  const asked = event.target.closest("#resign");
  if (!asked && !event.target.closest("#keep-playing")) return;
  event.preventDefault();
  if (asked) ask(true, () => document.querySelector(".asked .button-danger"));
  else ask(false, () => byId("resign"));
});
