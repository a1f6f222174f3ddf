// The rail beside the table: move list, talk with its unread count, confirmation of leaving.
import { all, byId, root } from "../dom.js";

const MOVE_LINE_PX = 25;

const moves = () => byId("moves");

/** Return whether the end of the move list is in view. */
export const isAtLatestMove = () =>
  moves().scrollHeight - moves().scrollTop - moves().clientHeight < MOVE_LINE_PX;

/** Return whether the viewer plays and may leave. */
export const mayLeave = () => Boolean(document.querySelector("#leave .button-danger"));

/** Close a phone's rail, which covers the table, unless the viewer is typing there. */
export function closeRail() {
  if (location.hash === "#rail" && !document.activeElement?.matches("#chat input")) location.hash = "#main";
}

/** Scroll to the latest move, if it was in view before. */
export function scrollToLatestMove(wasInView) {
  if (wasInView) moves().scrollTop = moves().scrollHeight;
}

/** Copy the latest move from the list to a phone's bar, unless that shows the end of a round or match. */
export function renderNewestMove() {
  const bar = document.querySelector("#newest[data-client-rendered]");
  if (!bar) return;
  const [number, mark, action, points] = moves().lastElementChild.lastElementChild.cloneNode(true).children;
  byId("newest-mark").innerHTML = mark.innerHTML;
  action.querySelector(".whose")?.remove();
  bar.innerHTML = `${number.textContent} ${action.innerHTML} ${points?.outerHTML ?? ""}`;
}

const chat = byId("chat");
const countLines = () => all("#talk-log [data-talk]").length;
let readLines = countLines();

function scrollTalkToEnd() {
  const log = byId("talk-log").firstElementChild;
  log.scrollTop = log.scrollHeight;
}

// On a phone the talk may be open on a closed sheet.
const isTalkVisible = () => chat.open && getComputedStyle(chat).visibility === "visible";

/** Update the number of unread lines at the talk, and the mark at a phone's bar. */
export function updateUnread() {
  if (isTalkVisible()) {
    if (countLines() !== readLines) scrollTalkToEnd();
    readLines = countLines();
  }
  const fresh = Math.max(0, countLines() - readLines);
  const unread = byId("unread");
  unread.textContent = fresh || "";
  unread.hidden = chat.open || !fresh;
  root.toggleAttribute("data-unread", fresh > 0);
}

addEventListener("hashchange", updateUnread);

const countOthersLines = () => {
  const me = document.querySelector(".seat.mine")?.getAttribute("aria-label");
  return all("#talk-log [data-talk]").filter((line) => line.dataset.name !== me).length;
};
let heardLines = countOthersLines();

/** Return whether there are new lines by others since the last call. */
export function hasNewTalk() {
  const before = heardLines;
  heardLines = countOthersLines();
  return heardLines > before;
}

// The open talk makes the move list lower.
let wasAtLatestMove = false;
chat?.querySelector("summary").addEventListener("click", () => {
  wasAtLatestMove = isAtLatestMove();
});

chat?.addEventListener("toggle", () => {
  updateUnread();
  scrollTalkToEnd();
  scrollToLatestMove(wasAtLatestMove);
});

document.addEventListener("click", (event) => {
  const reply = event.target.closest("[data-reply]");
  if (!reply?.form) return;
  event.preventDefault();
  reply.form.querySelector("input[name=text]").value = reply.value;
  reply.form.requestSubmit();
});

/** Show or hide emotes or remarks, and let the button that takes the place of the pressed one have its focus. */
function turnSwitch(button) {
  const { switch: name } = button.dataset;
  const hadFocus = document.activeElement === button;
  root.dataset[name] = button.value === "1" ? "on" : "off";
  const [other] = all(`[data-switch=${name}]`).filter((each) => each !== button);
  if (hadFocus) other.focus();
}

document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
  if (!detail.successful) return;
  if (detail.elt.id === "say") detail.elt.reset();
  const button = detail.requestConfig.triggeringEvent?.submitter;
  if (button?.dataset.switch) turnSwitch(button);
});

// Resigning and calling off

const QUESTIONS = { resign: ["is-asking", ".asked"], "call-off": ["is-calling-off", ".asked-off"] }; // by button

// The question is the name of the group that the focus enters, so it is said with the answer that has the focus.
function setAsking(id, asking) {
  const [name, question] = QUESTIONS[id];
  byId("foot").classList.toggle(name, asking);
  (asking ? document.querySelector(`${question} [form=play]`) : byId(id)).focus();
}

/** End the confirmation if the viewer can no longer leave in this way. */
export function stopAsking() {
  for (const [name, question] of Object.values(QUESTIONS))
    if (!document.querySelector(question)) byId("foot").classList.remove(name);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("#resign, #call-off, [data-keep]");
  if (!button) return;
  event.preventDefault();
  setAsking(button.dataset.keep ?? button.id, !button.dataset.keep);
});

// Before the keys of the table, for which Escape puts tiles back.
document.addEventListener(
  "keydown",
  (event) => {
    const asked = Object.keys(QUESTIONS).find((id) => byId("foot").classList.contains(QUESTIONS[id][0]));
    if (event.key !== "Escape" || !asked) return;
    event.preventDefault();
    event.stopPropagation();
    setAsking(asked, false);
  },
  { capture: true },
);
