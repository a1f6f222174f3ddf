// Keys of the table. The page lists them (.keys in the rail).
import { byId, onKeys } from "../dom.js";
import { board, dismissScene, isSceneOpen, lazy, tilesInHand } from "./page.js";
import { clearSelection, isPlanning, openPlaces } from "./selection.js";

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
const CYCLE_STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const QUERY_KEYS = { e: "ends", h: "hand", s: "scores", b: "boneyard", n: "news" };

const queries = lazy(() => import("./queries.js"));

async function answerQuery(about) {
  (await queries())?.answerQuery(about);
}

document.addEventListener("click", (event) => {
  const asked = event.target.closest("[data-ask]");
  if (asked) answerQuery(asked.dataset.ask);
});

function clickButton(selector) {
  const button = document.querySelector(selector);
  button?.click();
  return Boolean(button);
}

function clickTile(number) {
  const tile = tilesInHand()[number - 1];
  tile?.focus();
  tile?.click();
  return Boolean(tile);
}

function clickPlace(end) {
  const place = openPlaces().find((each) => each.dataset.end === end);
  place?.click();
  return Boolean(place);
}

const hasExtraEnds = () => openPlaces().some(({ dataset }) => dataset.end.length > 1);

// Sort clockwise from the left of the board.
function clockwise(places) {
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const [x, y] = middle(board().getBoundingClientRect());
  const angle = (place) => {
    const [atX, atY] = middle(place.getBoundingClientRect());
    return Math.atan2(y - atY, x - atX);
  };
  return places.sort((one, other) => angle(one) - angle(other));
}

// If every double branches there are more ends than arrow keys: arrows cycle through the places, Enter plays.
function cyclePlaces(step) {
  const places = clockwise(openPlaces());
  const at = places.indexOf(document.activeElement);
  const next = at < 0 ? Math.min(step, 0) : (at + step) % places.length;
  places.at(next).focus();
  return true;
}

function cancel() {
  if (dismissScene()) return true;
  clearSelection();
  if (location.hash) location.hash = "#main";
  return false;
}

function clickOnlyPlace() {
  if (isPlanning()) return clickButton("#together");
  const [only, ...others] = openPlaces();
  if (!only || others.length) return false;
  only.click();
  return true;
}

// Tiles 1 to 10 are the digit keys by position, 11 to 20 with Shift. Numpad keys have digits as names.
function tileNumberOfKey(name, { code, shiftKey }) {
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit) return (Number(digit) || 10) + (shiftKey ? 10 : 0);
  return /^\d$/.test(name) ? Number(name) || 10 : 0;
}

function handleKey(name, event) {
  const { target } = event;
  if (name === "?") {
    byId("tools").open = true;
    return clickButton(".keys summary");
  }
  const tile = tileNumberOfKey(name, event);
  // The end of a round hides the hand: its keys dismiss that and play nothing.
  if (isSceneOpen() && (tile || name === "p")) return dismissScene();
  if (tile) return clickTile(tile);
  // Arrows, Space and Enter belong to the claims while one of them has the focus.
  if (target.matches?.("[type=radio]") && !["p", "m", "Escape"].includes(name)) return false;
  if (name in CYCLE_STEPS && hasExtraEnds()) return cyclePlaces(CYCLE_STEPS[name]);
  if (name in ENDS) return clickPlace(ENDS[name]);
  if (name === "p") return clickButton("#acts .pass");
  if (name === "m") return clickButton("#acts .call");
  if (name === "Escape") return cancel();
  if (name === "Enter" && target.matches(".hand-tile.is-planned")) return clickButton("#together");
  // Enter and Space press the focused element.
  if (target.closest?.("button:not([aria-disabled=true]), a, summary")) return false;
  if ([" ", "Enter"].includes(name) && dismissScene()) return true;
  if (name === " ") return clickButton("#bone button");
  return name === "Enter" && clickOnlyPlace();
}

onKeys(handleKey, "input:not([type=radio]), textarea, select, [contenteditable], .account");

onKeys((name) => {
  if (name in QUERY_KEYS) answerQuery(QUERY_KEYS[name]);
  return false;
}, "input:not([type=radio]), textarea, select");
