// The tiles of the set that its holder can see: those laid and those in the hand. For whom it helps, in casual matches.
import { all, byId } from "../dom.js";
import { board, loadStyle, tilesInHand } from "./page.js";

const seen = byId("seen");
loadStyle(byId("premove").dataset.style);

function cell(name, held, laid) {
  const tile = document.createElement("span");
  tile.textContent = name;
  tile.className = held.has(name) ? "is-held" : laid.has(name) ? "is-laid-down" : "";
  return tile;
}

function row(high, held, laid) {
  const line = document.createElement("div");
  line.append(...Array.from({ length: high + 1 }, (_, low) => cell(`${high}-${low}`, held, laid)));
  return line;
}

export function showSeen() {
  if (!seen.open) return;
  const held = new Set(tilesInHand().map(({ dataset }) => dataset.tile));
  const laid = new Set(all(".laid [data-tile]", board()).map(({ dataset }) => dataset.tile));
  const highest = Number(seen.dataset.set);
  const rows = Array.from({ length: highest + 1 }, (_, high) => row(high, held, laid));
  seen.querySelector(".triangle").replaceChildren(...rows);
}
