// A replay by keys, by itself and by its graph; without a script the links and the form do. htmx swaps #replay.
import { byId, onKeys } from "./dom.js";

const PACE = 1000; // milliseconds a move
const STEPS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
const step = (name) => byId(`step-${name}`);
const range = () => byId("move");
let playing = 0;

function play(on) {
  const atEnd = range().value === range().max;
  clearTimeout(playing);
  playing = on && !atEnd ? setTimeout(() => step("next").click(), PACE) : 0;
  step("play").setAttribute("aria-pressed", String(Boolean(playing)));
}

function show() {
  step("play").hidden = false;
  const now = document.querySelector(".moves .is-now");
  const list = now?.parentElement;
  if (list) list.scrollTop = now.offsetTop - list.clientHeight / 2;
  play(Boolean(playing));
}

document.addEventListener("click", (event) => {
  if (event.target.closest("#step-play")) play(!playing);
  else if (event.isTrusted) play(false);
});

document.addEventListener("change", (event) => {
  if (event.target === range()) event.target.form.requestSubmit();
});

onKeys((name, event) => {
  const pressed = STEPS[name] && step(STEPS[name]);
  if (!pressed || (name === " " && event.target.closest("a, button"))) return false;
  if (pressed !== step("play")) play(false);
  pressed.click();
  return true;
}, "input, select, textarea, .moves");

document.addEventListener("htmx:afterSettle", () => {
  byId("status").textContent = byId("said").textContent;
  show();
});
show();
