// The finished round before, over the table. Its link opens a page of its own where this module does not load.
import { byId } from "../dom.js";

const dialog = byId("look-back");

function close() {
  dialog.classList.remove("is-open");
  document.querySelector("[data-look-back]")?.focus({ preventScroll: true });
}

/** Load the page of a round into the dialog and open it at the part that the link names. */
export async function lookBack(link) {
  await htmx.ajax("GET", link.href, { target: "#look-back", select: "#past-round", swap: "innerHTML" });
  if (location.hash === "#rail") location.hash = "#main"; // it covers the table on a phone
  dialog.classList.add("is-open");
  dialog.focus({ preventScroll: true });
  dialog.scrollTop = 0;
  if (link.hash) byId(link.hash.slice(1))?.scrollIntoView();
}

dialog.addEventListener("click", (event) => {
  if (!event.target.closest(".button")) return;
  event.preventDefault();
  close();
});

// Before the keys of the table.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !dialog.classList.contains("is-open")) return;
    event.stopPropagation();
    close();
  },
  { capture: true },
);
