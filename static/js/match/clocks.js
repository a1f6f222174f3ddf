// What time brings: clocks and countdowns, drawn from the server's deadlines; when one runs out the page asks what happened;
// presses that had to wait, and a move that is all there is to do.
import { all, byId, formatClock, root } from "../dom.js";
import { sayLowTime } from "./announcer.js";
import { version } from "./page.js";

const asked = new Set();
const SAMPLES = 8;
let told = 0; // the server's time, in ms, as the page was told last
let ahead = []; // by how many ms our clock was ahead of it, each of the last times

/** Seconds until a moment of the server's clock, in ISO 8601. */
function secondsUntil(moment) {
  // Part of it is the way here: what came the quickest is the nearest.
  return (Date.parse(moment) - Date.now() + Math.min(...ahead)) / 1000;
}

function ask(moment) {
  if (asked.has(moment)) return;
  asked.add(moment);
  htmx.trigger("#sync", "due");
}

let warned = false;

// Once, to whoever plays.
function warn(clock, rest) {
  if (warned || rest >= 60 || !clock.closest(".mine")) return;
  warned = true;
  sayLowTime();
  document.dispatchEvent(new Event("lowtime"));
}

// While the line is away they stand still, and look it: the server's own may, too, if it is the server that is away.
function tick() {
  if (root.dataset.live === "lost") return;
  for (const clock of all(".clock[data-deadline]")) {
    const most = Number(clock.dataset.seconds) + 3600;
    const rest = Math.max(0, Math.min(secondsUntil(clock.dataset.deadline), most));
    clock.lastElementChild.textContent = formatClock(rest);
    clock.classList.toggle("is-low", rest < 60);
    if (rest === 0) ask(clock.dataset.deadline);
    warn(clock, rest);
  }
  for (const time of all("time[data-until]")) {
    const rest = secondsUntil(time.dataset.until);
    const more = time.className ? /^0:0?|\.\d$/g : /\.\d$/; // a ring has room for the seconds alone
    time.textContent = formatClock(Math.max(0, rest)).replace(more, "");
    time.style.setProperty("--rest", rest);
    if (rest <= 0) ask(time.dataset.until);
  }
}

/** Take the server's time from the page if it is news, and draw: after a while without news it is an old time. */
export function setClocks() {
  const now = Number(byId("sync")?.dataset.now ?? 0);
  if (now > told) {
    told = now;
    ahead = [...ahead, Date.now() - now].slice(-SAMPLES);
  }
  tick();
}

setInterval(tick, 200);

let late = 0;
let automatic = 0;

// Nobody may move while the last play can still be called; the press counts when that is over.
byId("play")?.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("button[name=move]");
    const until = byId("sync").dataset.wait;
    if (!button || !until || button.value === "muggins") return;
    const rest = secondsUntil(until) * 1000;
    if (rest <= 0) return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(late);
    late = pressLater(() => button, rest + 60);
  },
  { capture: true },
);

/** For those who asked for it: the hand says which move is the only one. */
export function pressTheOnlyMove() {
  const move = byId("hand").dataset.auto;
  clearTimeout(automatic);
  if (move)
    automatic = pressLater(() => document.querySelector(`#play button[name=move][value="${move}"]`), 700);
}

// Not once somebody has moved in between.
function pressLater(find, milliseconds) {
  const now = version();
  return setTimeout(() => {
    if (version() === now) find()?.click();
  }, milliseconds);
}
