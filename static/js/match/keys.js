// Every key of the table. Letters are shown by the page itself (#keys in the rail).
import { onKeys } from "../dom.js";
import { answer } from "./announcer.js";
import { forget, isPlanning, openPlaces } from "./choosing.js";
import { board, isSceneOpen, proceed, tilesInHand } from "./page.js";

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

// A hand that lies under the end of a round is seen by nobody: its keys go on to it, and play nothing yet.
const isOfTheHand = (name) => /^[1-9p]$/.test(name);

function pressed(name, { target }) {
  if (isSceneOpen() && isOfTheHand(name)) return proceed();
  if (/^[1-9]$/.test(name)) return pressTile(Number(name));
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
