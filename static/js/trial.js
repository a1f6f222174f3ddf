// The prepared position on the front page: pressing a tile is answered in place.
import { all, byId, root } from "./dom.js";

const REPLY_MS = 900;
const trial = byId("trial");
const said = trial.querySelector(".trial-said");
const hand = trial.querySelector(".trial-hand");
const form = trial.querySelector("form");
const count = byId("trial-count");
const counts = count.dataset.counts.split(" ");
const isStill = root.dataset.animation === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;

function show(step) {
  trial.dataset.step = step;
  count.textContent = counts[step];
}

function lay() {
  show(1);
  hand.querySelector("[data-scores]").hidden = true;
  for (const tile of all("button", hand)) tile.disabled = true;
  setTimeout(
    () => {
      show(2);
      said.textContent = said.dataset.laid;
      form.hidden = false;
      form.querySelector("button").focus();
    },
    isStill ? 0 : REPLY_MS,
  );
}

hand.hidden = false;
form.hidden = true;
hand.addEventListener("click", ({ target }) => {
  const tile = target.closest("button");
  if (!tile) return;
  if ("scores" in tile.dataset) lay();
  else said.textContent = tile.dataset.said;
});
trial.querySelector(".trial-ghost").addEventListener("click", () => trial.dataset.step === "0" && lay());
