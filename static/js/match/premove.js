// Premoves: a tile selected out of turn is played on the next turn if it fits. It is stored only in this page.
import { all, byId } from "../dom.js";
import { announce } from "./announcer.js";
import { isMyTurn, isOver, loadStyle, playsOf, tilesInHand } from "./page.js";

const bar = byId("premove");
const endChoices = bar.querySelector(".ends");
const round = () => document.querySelector("#news [data-round]").dataset.round;
export const styled = loadStyle(bar.dataset.style);
const MESSAGE_DISPLAY_MS = 4000;
let premove = null; // {tile, end ("" for any), round}
let messageTimer = 0;

/** Return [end, name] of each end that the tile fits now. */
function fittingEnds(tile) {
  if (!("ahead" in byId("hand").dataset)) return [];
  const open = byId("ends");
  const names = open.textContent.split("; ");
  return open.dataset.ends
    .split(" ")
    .map((end, place) => [end, names[place]])
    .filter(([, name]) => tile.split("-").includes(/\d+$/.exec(name)[0]));
}

function render() {
  for (const tile of tilesInHand()) {
    const isNext = tile.dataset.tile === premove?.tile;
    tile.classList.toggle("is-next", isNext);
    if (isNext) tile.setAttribute("aria-pressed", "true");
    else if (tile.matches(".is-off, .is-waits, .is-plays")) tile.removeAttribute("aria-pressed");
  }
  for (const chip of all("#board .line-end[data-end]"))
    chip.classList.toggle("is-next", Boolean(premove?.end) && chip.dataset.end === premove.end);
  bar.hidden = !premove;
  if (!premove) return;
  bar.querySelector("b").textContent = premove.tile;
  endChoices.replaceChildren(
    ...(fittingEnds(premove.tile).length > 1 ? fittingEnds(premove.tile).map(createEndButton) : []),
  );
}

function createEndButton([end, name]) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "chip";
  button.textContent = name;
  button.setAttribute("aria-pressed", String(premove.end === end));
  button.addEventListener("click", () => {
    premove.end = premove.end === end ? "" : end;
    render();
  });
  return button;
}

/** Set the tile as the premove, or cancel it. */
export function togglePremove(tile) {
  premove = premove?.tile === tile ? null : { tile, end: "", round: round() };
  render();
  if (premove) announce(`${tile} ${bar.querySelector("span").textContent}.`);
}

function cancelPremove() {
  const existed = premove !== null;
  premove = null;
  render();
  return existed;
}

function showUnplayable(tile) {
  const refusal = byId("refusal");
  const sentence = bar.dataset.gone.replace("{tile}", tile);
  refusal.textContent = sentence;
  clearTimeout(messageTimer);
  messageTimer = setTimeout(() => {
    if (refusal.textContent === sentence) refusal.textContent = "";
  }, MESSAGE_DISPLAY_MS);
}

/** On the viewer's turn play the premove, or call `choose` with its tile if there is a choice of places. */
export function applyPremove(choose) {
  if (premove && (premove.round !== round() || isOver())) cancelPremove();
  if (!premove || !isMyTurn()) {
    if (premove) render();
    return;
  }
  const { tile, end } = premove;
  cancelPremove();
  const held = byId(`held-${tile}`);
  const moves = held ? playsOf(held).filter((move) => !end || move.endsWith(`@${end}`)) : [];
  if (!moves.length) showUnplayable(tile);
  else if (held.matches(".is-plays")) held.click();
  else {
    choose(tile);
    if (moves.length === 1 || end)
      all(`#board button[name=move][value="${CSS.escape(moves[0])}"]`)
        .find((place) => place.getClientRects().length)
        ?.click();
  }
}

bar.querySelector(".take-back").addEventListener("click", cancelPremove);
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && cancelPremove()) event.stopPropagation();
  },
  { capture: true },
);
