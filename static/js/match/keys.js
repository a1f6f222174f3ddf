// Every key of the table. Letters are shown by the page itself (#keys in the rail).
import { onKeys } from "../dom.js";
import { forget, isPlanning, openPlaces } from "./choosing.js";
import { board, isSceneOpen, lazy, proceed, tilesInHand } from "./page.js";

const ENDS = {
  ArrowLeft: "L",
  ArrowRight: "R",
  ArrowUp: "U",
  ArrowDown: "D",
  l: "L",
  r: "R",
  u: "U",
  d: "D",
};
const ROUND = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const QUESTIONS = { e: "ends", h: "hand", s: "scores", b: "boneyard", n: "news" };

const ear = lazy(() => import("./ear.js"));

async function answer(about) {
  (await ear())?.answer(about);
}

document.addEventListener("click", (event) => {
  const asked = event.target.closest("[data-ask]");
  if (asked) answer(asked.dataset.ask);
});

function press(selector) {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
}

function pressTile(number) {
  const tile = tilesInHand()[number - 1];
  tile?.focus();
  tile?.click();
  return Boolean(tile);
}

function pressPlace(end) {
  const place = openPlaces().find((each) => each.dataset.end === end);
  place?.click();
  return Boolean(place);
}

const areMoreThanSides = () => openPlaces().some(({ dataset }) => dataset.end.length > 1);

// From the left of the board on.
function clockwise(places) {
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const [x, y] = middle(board().getBoundingClientRect());
  const angle = (place) => {
    const [atX, atY] = middle(place.getBoundingClientRect());
    return Math.atan2(y - atY, x - atX);
  };
  return places.sort((one, other) => angle(one) - angle(other));
}

// Where every double branches there are more ends than arrows: they go round, and Enter lays the tile.
function goRound(step) {
  const places = clockwise(openPlaces());
  const at = places.indexOf(document.activeElement);
  const next = at < 0 ? Math.min(step, 0) : (at + step) % places.length;
  places.at(next).focus();
  return true;
}

function stop() {
  if (proceed()) return true;
  forget();
  if (location.hash) location.hash = "#main";
  return false;
}

function pressTheOnlyPlace() {
  if (isPlanning()) return press("#together");
  const [only, ...others] = openPlaces();
  if (!only || others.length) return false;
  only.click();
  return true;
}

// By the key's place: the ten digits, then the same with Shift. Those of the number pad are digits by name.
function tileOfKey(name, { code, shiftKey }) {
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit) return (Number(digit) || 10) + (shiftKey ? 10 : 0);
  return /^\d$/.test(name) ? Number(name) || 10 : 0;
}

function pressed(name, event) {
  const { target } = event;
  const tile = tileOfKey(name, event);
  // A hand that lies under the end of a round is seen by nobody: its keys go on to it, and play nothing yet.
  if (isSceneOpen() && (tile || name === "p")) return proceed();
  if (tile) return pressTile(tile);
  if (name in ROUND && areMoreThanSides()) return goRound(ROUND[name]);
  if (name in ENDS) return pressPlace(ENDS[name]);
  if (name === "p") return press("#acts .pass");
  if (name === "m") return press("#acts .call");
  if (name === "Escape") return stop();
  if (name === "Enter" && target.matches(".hand-tile.is-planned")) return press("#together");
  // Enter and Space press what has the focus.
  if (target.closest?.("button:not([aria-disabled=true]), a, summary")) return false;
  if ([" ", "Enter"].includes(name) && proceed()) return true;
  if (name === " ") return press("#bone button");
  return name === "Enter" && pressTheOnlyPlace();
}

onKeys(pressed, "input, textarea, select, [contenteditable], .account");

onKeys((name) => {
  if (name in QUESTIONS) answer(QUESTIONS[name]);
  return false;
}, "input:not([type=radio]), textarea, select");
