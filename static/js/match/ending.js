// The end of a match: the result sheet and the rematch.
import "../commitments.js";
import { byId } from "../dom.js";
import { notifyIfHidden } from "./announcer.js";
import { closeSheet, isSheetClosed, isSheetLate, openResult, rematchState } from "./page.js";

export function closeResult() {
  closeSheet();
  byId("open-sheet")?.focus();
}

/** Go to the rematch, or the next match of a night, if it has started since `was`; notify of a new offer. */
export function followRematch(was) {
  const { url, offered } = rematchState();
  if (url && !was.url) location.assign(url);
  else if (offered && offered !== was.offered) notifyIfHidden(offered);
}

document.addEventListener("click", (event) => {
  const inside = event.target.closest("#over");
  if (event.target.closest("#open-sheet")) openResult();
  else if (event.target.closest("#close-sheet")) closeResult();
  else if (
    !inside &&
    event.target.closest("#table") &&
    !isSheetClosed() &&
    !isSheetLate() && // a press on the table before it is seen
    !event.target.closest("a, button")
  )
    closeResult();
  else return;
  event.preventDefault();
});

// Not through `onKeys`: Escape works even if single keys are disabled.
document.addEventListener("keydown", (event) => {
  const inDialog = document.querySelector("dialog[open]"); // which the browser closes
  if (event.key === "Escape" && !inDialog && !isSheetClosed()) closeResult();
});
