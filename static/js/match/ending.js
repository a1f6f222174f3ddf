// The end of a match: the sheet of its result, which opens and closes, and whether there will be another one.
import { byId } from "../dom.js";
import { elsewhere } from "./announcer.js";
import { closeSheet, isSheetClosed, openSheet } from "./page.js";

const nextMatch = () => byId("go-to-rematch")?.href ?? "";
const offered = () => byId("offered")?.textContent.trim() ?? "";
let known = { next: nextMatch(), offered: offered() };

function open() {
  openSheet();
  byId("over").focus();
}

function close() {
  closeSheet();
  byId("open-sheet")?.focus();
}

/** The match has just ended. Whoever is typing goes on. */
export function arrive() {
  elsewhere(byId("over-h").textContent.trim());
  if (document.activeElement?.matches("input, textarea")) openSheet();
  else open();
}

/** Somebody has asked for another match, or answered. Once all want it, it begins where this one was. */
export function follow() {
  const was = known;
  known = { next: nextMatch(), offered: offered() };
  if (known.next && !was.next) location.assign(known.next);
  else if (known.offered && known.offered !== was.offered) elsewhere(known.offered);
}

document.addEventListener("click", (event) => {
  const inside = event.target.closest("#over");
  if (event.target.closest("#open-sheet")) open();
  else if (event.target.closest("#close-sheet")) close();
  else if (
    !inside &&
    event.target.closest("#table") &&
    !isSheetClosed() &&
    !event.target.closest("a, button")
  )
    close();
  else return;
  event.preventDefault();
});

// Not through onKeys: Escape closes it for those, too, who have switched the table's keys off.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !isSheetClosed()) close();
});
