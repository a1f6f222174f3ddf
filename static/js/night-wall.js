// The wall: what does not fit at once takes turns, and the bell is heard.
import { all, byId, root, setText } from "./dom.js";
import { serverNow } from "./night.js";

const TURN_MS = 20_000;
const SHORT_TURN_MS = 12_000; // where there are many
const MANY_TURNS = 3;
const BELL_SHOWN_MS = 60_000;
const LATE_MS = 5000; // a wall that is opened after the bell does not ring
const TICK_MS = 250;
const STROKES = [0, 0.7, 1.4];
const PARTIALS = [
  [523, 1],
  [1046, 0.5],
  [1570, 0.3],
];

let context = null;

/** Return the page's sound; browsers let it be heard once somebody has pressed a button of the page. */
function openSound() {
  context ??= new AudioContext();
  context.resume();
  return context;
}

function ring() {
  const { currentTime, destination } = openSound();
  for (const stroke of STROKES)
    for (const [frequency, share] of PARTIALS) {
      const voice = context.createOscillator();
      const gain = context.createGain();
      const at = currentTime + stroke;
      voice.frequency.value = frequency;
      gain.gain.setValueAtTime(0, currentTime);
      gain.gain.setValueAtTime(0.5 * share, at);
      gain.gain.exponentialRampToValueAtTime(0.0001, at + 2.5);
      voice.connect(gain).connect(destination);
      voice.start(at);
      voice.stop(at + 2.6);
    }
  root.dataset.rung = Number(root.dataset.rung ?? 0) + 1;
}

let rungFor = "";

function checkBell() {
  const ends = document.querySelector("[data-bell]")?.dataset.bell ?? "";
  const since = ends ? serverNow() - Date.parse(ends) : Number.NEGATIVE_INFINITY;
  if (since >= 0 && since < LATE_MS && rungFor !== ends) {
    rungFor = ends;
    ring();
  }
  const bell = document.querySelector("[data-bell-words]");
  const words = since >= 0 && since < BELL_SHOWN_MS ? bell.dataset.bellWords : "";
  if (bell.textContent !== words) bell.textContent = words;
}

/** Return what takes turns: after a draw only tables, until people have found theirs. */
function chooseTurns() {
  const turns = all("[data-wall-turn]");
  const tables = turns.filter((turn) => turn.matches(".wall-tables"));
  const until = Date.parse(byId("night-wall").dataset.seatsUntil);
  return tables.length && serverNow() < until ? tables : turns;
}

let shown = ""; // what comes first, by kind and words
let begun = 0;

/** Return how long these turns have been taken; what is new begins with its first. */
function findTime([first]) {
  const { seatsUntil = "" } = byId("night-wall").dataset;
  const kind = [first?.className, first?.getAttribute("aria-label"), seatsUntil].join();
  if (kind !== shown) begun = Date.now();
  shown = kind;
  return Date.now() - begun;
}

function takeTurns() {
  const turns = chooseTurns();
  const length = turns.length > MANY_TURNS ? SHORT_TURN_MS : TURN_MS;
  const current = turns[Math.floor(findTime(turns) / length) % turns.length];
  for (const turn of all("[data-wall-turn]")) turn.hidden = turn !== current;
  const caption = document.querySelector(".wall-caption");
  setText(caption, turns.length > 1 ? current.getAttribute("aria-label") : "");
}

function tick() {
  takeTurns();
  checkBell();
}

tick();
setInterval(tick, TICK_MS);
document.addEventListener("htmx:oobAfterSwap", tick);

const button = byId("try-bell");
button.hidden = false;
button.addEventListener("click", ring);
