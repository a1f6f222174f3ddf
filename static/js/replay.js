// Replay by keys, autoplay and slider. Without scripts the links and the form do it. htmx swaps #replay.
import { byId, onKeys } from "./dom.js";

const MOVE_INTERVAL_MS = 1000;
const STEP_INTERVAL_MS = 150; // of a held key: less often than the site lets one address ask
const STEPS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
const stepButton = (name) => byId(`step-${name}`);
const slider = () => byId("move");
let playTimer = 0;
let slideTimer = 0;
let steppedAt = 0;
let isAsking = false; // for a position
let pressed = null; // what was pressed meanwhile: the answer replaces all that can be pressed

function setPlaying(on) {
  const atEnd = slider().value === slider().max;
  clearTimeout(playTimer);
  playTimer = on && !atEnd ? setTimeout(() => stepButton("next").click(), MOVE_INTERVAL_MS) : 0;
  stepButton("play").setAttribute("aria-pressed", String(Boolean(playTimer)));
}

function updateControls() {
  const current = document.querySelector(".moves .is-now");
  const list = current?.parentElement;
  if (list) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  setPlaying(Boolean(playTimer));
}

document.addEventListener("click", (event) => {
  if (event.target.closest("#step-play")) setPlaying(!playTimer);
  else if (event.isTrusted) setPlaying(false);
});

document.addEventListener("change", (event) => {
  if (event.target !== slider()) return;
  clearTimeout(slideTimer);
  const { value } = slider();
  slideTimer = setTimeout(press, STEP_INTERVAL_MS, () => {
    slider().value = value;
    slider().form.requestSubmit();
  });
});

document.addEventListener("htmx:afterSettle", () => {
  byId("status").textContent = byId("said").textContent;
  updateControls();
});

/** Act now, or once the answer that is on its way has come. */
function press(act) {
  if (isAsking) pressed = act;
  else act();
}

const isForReplay = ({ detail }) => detail.target?.id === "replay";

document.addEventListener("htmx:beforeRequest", (event) => {
  if (isForReplay(event)) isAsking = true;
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!isForReplay(event)) return;
  isAsking = false;
  const act = pressed;
  pressed = null;
  act?.();
});

onKeys((name, event) => {
  const step = STEPS[name];
  if (!step || (name === " " && event.target.closest("a, button"))) return false;
  if (event.repeat && event.timeStamp - steppedAt < STEP_INTERVAL_MS) return true;
  steppedAt = event.timeStamp;
  if (step !== "play") setPlaying(false);
  if (step === "play") stepButton(step).click();
  else press(() => stepButton(step).click());
  return true;
}, "input, select, textarea, .moves");
updateControls();
