// The running match on every other page of its player: its clock, the page's title and icon on their turn, its end.
import { all, byId, formatClock, root, setText } from "./dom.js";

const icon = byId("favicon");
const initial = { title: document.title, icon: icon?.getAttribute("href") };
const strip = byId("strip");
const deadlines = new WeakMap(); // by element: when it reaches zero (performance.now)
let closed = ""; // the address of an ended match that the reader has closed

const deadlineOf = (element, seconds) => {
  if (deadlines.get(element)?.seconds !== seconds)
    deadlines.set(element, { seconds, at: performance.now() + 1000 * Number(seconds) });
  return (deadlines.get(element).at - performance.now()) / 1000;
};

function tick() {
  if (root.dataset.live === "lost") return;
  for (const time of all("time[data-left]", strip)) {
    const rest = Math.max(0, deadlineOf(time, time.dataset.left));
    setText(time, formatClock(rest));
    time.closest(".strip").classList.toggle("is-low", rest < 60 && Boolean(time.closest(".strip-clock")));
  }
  for (const entry of all("[data-hides]", strip))
    if (deadlineOf(entry, entry.dataset.hides) <= 0) entry.remove();
}

function markTurn(isMyTurn) {
  const text = (selector) => strip.querySelector(selector)?.firstChild?.textContent.trim() ?? "";
  const matches = Number(strip.dataset.turns) > 1 ? `(${strip.dataset.turns}) ` : "";
  document.title = isMyTurn
    ? `${matches}● ${text(".strip-fact")}: ${text(".strip-who")} · ${initial.title}`
    : initial.title;
  icon?.setAttribute("href", isMyTurn ? icon.dataset.turn : initial.icon);
}

let wasMyTurn = false;

/** Adopt what the server has sent. */
export function showStrip() {
  const entry = strip.querySelector(".strip");
  if (entry && entry.querySelector(".strip-go").getAttribute("href") === closed) entry.remove();
  for (const button of all(".strip-close", strip)) button.hidden = false;
  const isMyTurn = Boolean(strip.querySelector(".is-turn"));
  if (isMyTurn || wasMyTurn) markTurn(isMyTurn);
  navigator.setAppBadge?.(Number(strip.dataset.turns)).catch(() => {}); // on the icon of an installed app
  wasMyTurn = isMyTurn;
  tick();
}

strip.addEventListener("click", (event) => {
  const entry = event.target.closest(".strip-close") && event.target.closest(".strip");
  if (!entry) return;
  closed = entry.querySelector(".strip-go").getAttribute("href");
  entry.remove();
});

setInterval(tick, 200);
