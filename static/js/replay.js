"use strict";
// A replay by keys, by itself and by its graph; without a script the links and the form do. htmx swaps #replay.
(() => {
  const PACE = 1000; // milliseconds a move
  const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  const get = (name) => document.getElementById(`step-${name}`);
  let playing = 0;

  const range = () => document.getElementById("move");
  const atEnd = () => range().value === range().max;

  function play(on) {
    clearTimeout(playing);
    playing = on && !atEnd() ? setTimeout(() => get("next").click(), PACE) : 0;
    get("play").setAttribute("aria-pressed", String(Boolean(playing)));
  }

  function shown() {
    get("play").hidden = false;
    const now = document.querySelector(".moves .is-now"), list = now?.parentElement;
    if (list) list.scrollTop = now.offsetTop - list.clientHeight / 2;
    play(Boolean(playing));
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("#step-play")) play(!playing);
    else if (event.isTrusted) play(false);
  });
  document.addEventListener("change", (event) => { if (event.target === range()) event.target.form.requestSubmit(); });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .moves")) return;
    if (event.key === " " && event.target.closest("a, button")) return;
    const step = KEYS[event.key] && get(KEYS[event.key]);
    if (!step || document.documentElement.dataset.keys === "off") return;
    event.preventDefault();
    if (step !== get("play")) play(false);
    step.click();
  });
  document.addEventListener("htmx:afterSettle", () => {
    document.getElementById("status").textContent = document.getElementById("said").textContent;
    shown();
  });
  shown();
})();
