// Arrow keys step through the decisions of an analysis, swipes through its moments. Without scripts the links do it.
import { all, onKeys } from "./dom.js";

const STEPS = { ArrowLeft: "prev", ArrowRight: "next" };

onKeys((name) => {
  const link = STEPS[name] && document.querySelector(`#study [rel=${STEPS[name]}]`);
  link?.click();
  return Boolean(link);
}, "input, select, textarea, .moves");

const MIN_SWIPE_PX = 48;
let swipeStart = null;

function showMoment(step) {
  const moments = all("#study .moments li");
  const at = moments.findIndex((moment) => moment.matches("[aria-current]"));
  moments[at < 0 ? 0 : at + step]?.querySelector("a").click();
}

document.addEventListener(
  "touchstart",
  ({ target, touches: [touch, second] }) => {
    swipeStart = target.closest(".moments, .study-judged") && !second ? touch : null;
  },
  { passive: true },
);

document.addEventListener("touchend", ({ changedTouches: [touch] }) => {
  if (!swipeStart) return;
  const [x, y] = [touch.clientX - swipeStart.clientX, touch.clientY - swipeStart.clientY];
  if (Math.abs(x) >= MIN_SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) showMoment(x < 0 ? 1 : -1);
});

// On a phone the likelihoods of each hidden hand are folded, until the reader opens them.
const phone = matchMedia("(max-width: 860px)");
const unfolded = new Set();

function foldGuesses() {
  for (const guess of all("#study .study-guess")) guess.open = !phone.matches || unfolded.has(guess.id);
}

document.addEventListener("click", ({ target }) => {
  const guess = target.closest?.(".study-guess > summary")?.parentElement;
  if (!guess) return;
  if (guess.open) unfolded.delete(guess.id);
  else unfolded.add(guess.id);
});
document.addEventListener("htmx:afterSettle", foldGuesses);
phone.addEventListener("change", foldGuesses);
foldGuesses();
