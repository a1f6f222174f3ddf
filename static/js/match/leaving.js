// Ask before the page is closed on one's own turn. Links, forms and reloads by scripts do not ask.
import "./phone.js"; // needs user activation, too
import { isMyTurn, isOver } from "./page.js";

const ALLOWED_MS = 10_000; // for a slow page to come
let allowedUntil = 0;

function allow() {
  allowedUntil = Date.now() + ALLOWED_MS;
}

document.addEventListener("click", ({ target }) => target.closest?.("a[href]:not([href^='#'])") && allow());
document.addEventListener("submit", ({ target }) => target.hasAttribute("hx-post") || allow());
document.addEventListener("beforereload", allow);
document.addEventListener("htmx:beforeOnLoad", ({ detail: { xhr } }) => {
  if (xhr.getResponseHeader("HX-Refresh") || xhr.getResponseHeader("HX-Redirect")) allow();
});

addEventListener("beforeunload", (event) => {
  if (!isMyTurn() || isOver() || Date.now() < allowedUntil) return;
  event.preventDefault();
  event.returnValue = "leave"; // Chrome before 119
});
