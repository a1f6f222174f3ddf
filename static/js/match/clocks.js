// Clocks and countdowns from the server's deadlines, with a poll when one runs out; delayed and automatic presses.
import { all, byId, formatClock, root, setText } from "../dom.js";
import { announceLowTime } from "./announcer.js";
import { version } from "./page.js";

const polledDeadlines = new Set();
const MAX_OFFSET_SAMPLES = 8;
let lastServerTime = 0; // in ms
let clockOffsets = []; // last differences of the local to the server's clock, in ms

// It goes on while the device sleeps, and never back.
const localTime = () => Math.max(Date.now(), performance.timeOrigin + performance.now());

/** Return when the page itself came: its scripts may have come much later. */
function arrivalTime() {
  const [page] = performance.getEntriesByType("navigation");
  return page?.responseStart ? performance.timeOrigin + page.responseStart : localTime();
}

/** Return the server's time in ms, or an earlier one by some network latency. */
export function serverTime() {
  // Offsets include network latency: the smallest one is the most exact.
  return localTime() - Math.min(...clockOffsets);
}

/** Return the seconds until a time of the server, in ISO 8601. */
function secondsUntil(moment) {
  return (Date.parse(moment) - serverTime()) / 1000;
}

function pollOnce(moment) {
  if (polledDeadlines.has(moment)) return;
  polledDeadlines.add(moment);
  htmx.trigger("#sync", "due");
}

let hasWarned = false;

// Warn the player once.
function warnLowTime(clock, rest) {
  if (hasWarned || rest >= 60 || !clock.closest(".mine")) return;
  hasWarned = true;
  announceLowTime();
  document.dispatchEvent(new Event("lowtime"));
}

// Clocks stand still while disconnected: if the server is down, its own clocks stop, too.
function tick() {
  if (root.dataset.live === "lost") return;
  for (const clock of all(".clock[data-deadline]")) {
    // In a first turn the deadline is later than the clock says, as the clock does not run yet.
    const clockSeconds = Number(clock.dataset.seconds);
    const rest = Math.max(0, Math.min(secondsUntil(clock.dataset.deadline), clockSeconds));
    setText(clock.lastElementChild, formatClock(rest));
    clock.classList.toggle("is-low", rest < 60);
    if (rest === 0) pollOnce(clock.dataset.deadline);
    warnLowTime(clock, rest);
  }
  for (const time of all("time[data-until]")) {
    const rest = secondsUntil(time.dataset.until);
    const more = time.className ? /^0:0?|\.\d$/g : /\.\d$/; // a ring shows seconds only
    setText(time, formatClock(Math.max(0, rest)).replace(more, ""));
    if (time.className) time.style.setProperty("--rest", rest);
    if (rest <= 0) pollOnce(time.dataset.until);
  }
}

/** Read the server's time from the page, unless it was read before, and update the clocks. */
export function setClocks() {
  const now = Number(byId("sync")?.dataset.now ?? 0);
  if (now > lastServerTime) {
    const cameAt = lastServerTime ? localTime() : arrivalTime();
    lastServerTime = now;
    clockOffsets = [...clockOffsets, cameAt - now].slice(-MAX_OFFSET_SAMPLES);
  }
  tick();
}

setInterval(tick, 200);

const DEADLINE_MARGIN_MS = 60;
const AUTOMATIC_PRESS_DELAY_MS = 700;
let delayedPress = 0;
let automaticPress = 0;

// While the last play can be called no move is accepted: delay the press.
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
    clearTimeout(delayedPress);
    delayedPress = pressLater(() => button, rest + DEADLINE_MARGIN_MS);
  },
  { capture: true },
);

/** Press the only legal move, if the viewer enabled that. */
export function pressOnlyMove() {
  const move = byId("hand").dataset.auto;
  clearTimeout(automaticPress);
  if (move)
    automaticPress = pressLater(
      () => document.querySelector(`#play button[name=move][value="${move}"]`),
      AUTOMATIC_PRESS_DELAY_MS,
    );
}

// Press unless another move comes first.
function pressLater(find, milliseconds) {
  const now = version();
  return setTimeout(() => {
    if (version() === now) find()?.click();
  }, milliseconds);
}
