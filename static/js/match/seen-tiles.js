// The list of tiles that the viewer can see: on the felt and in hand. In casual matches only.
import { all, byId } from "../dom.js";
import { board, loadStyle, tilesInHand } from "./page.js";

const seen = byId("seen");
loadStyle(byId("premove").dataset.style);

function createCell(name, held, laid) {
  const tile = document.createElement("span");
  tile.textContent = name;
  tile.className = held.has(name) ? "is-held" : laid.has(name) ? "is-laid-down" : "";
  return tile;
}

function createRow(high, held, laid) {
  const line = document.createElement("div");
  line.append(...Array.from({ length: high + 1 }, (_, low) => createCell(`${high}-${low}`, held, laid)));
  return line;
}

export function renderSeenTiles() {
  if (!seen.open) return;
  const held = new Set(tilesInHand().map(({ dataset }) => dataset.tile));
  const laid = new Set(all(".laid [data-tile]", board()).map(({ dataset }) => dataset.tile));
  const highest = Number(seen.dataset.set);
  const rows = Array.from({ length: highest + 1 }, (_, high) => createRow(high, held, laid));
  seen.querySelector(".triangle").replaceChildren(...rows);
}
