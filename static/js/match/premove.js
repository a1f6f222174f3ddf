// A tile chosen while others play: laid when the turn comes, if it fits then. It stays in this page until that.
import { all, byId } from "../dom.js";
import { say } from "./announcer.js";
import { fitsOf, isMyTurn, isOver, loadStyle, tilesInHand } from "./page.js";

const bar = byId("premove");
const sides = bar.querySelector(".ends");
const round = () => document.querySelector("#news [data-round]").dataset.round;
loadStyle(bar.dataset.style);
let wish = null; // {tile, end: "" is wherever it fits, round}
let passing = 0;

/** [end, its name] of the ends that the tile fits now. */
function ends(tile) {
  if (!("ahead" in byId("hand").dataset)) return [];
  const open = byId("ends");
  const names = open.textContent.split("; ");
  return open.dataset.ends
    .split(" ")
    .map((end, place) => [end, names[place]])
    .filter(([, name]) => tile.split("-").includes(/\d+$/.exec(name)[0]));
}

function show() {
  for (const tile of tilesInHand()) {
    const isNext = tile.dataset.tile === wish?.tile;
    tile.classList.toggle("is-next", isNext);
    if (isNext) tile.setAttribute("aria-pressed", "true");
    else if (!tile.matches("[form=pick]")) tile.removeAttribute("aria-pressed");
  }
  for (const chip of all("#board .line-end[data-end]"))
    chip.classList.toggle("is-next", Boolean(wish?.end) && chip.dataset.end === wish.end);
  bar.hidden = !wish;
  if (!wish) return;
  bar.querySelector("b").textContent = wish.tile;
  sides.replaceChildren(...(ends(wish.tile).length > 1 ? ends(wish.tile).map(choiceOf) : []));
}

function choiceOf([end, name]) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "chip";
  button.textContent = name;
  button.setAttribute("aria-pressed", String(wish.end === end));
  button.addEventListener("click", () => {
    wish.end = wish.end === end ? "" : end;
    show();
  });
  return button;
}

/** Choose it for one's next turn, or put it back. */
export function wishFor(tile) {
  wish = wish?.tile === tile ? null : { tile, end: "", round: round() };
  show();
  if (wish) say(`${tile} ${bar.querySelector("span").textContent}.`);
}

function withdraw() {
  const had = wish;
  wish = null;
  show();
  return Boolean(had);
}

function tell(tile) {
  const refusal = byId("refusal");
  const sentence = bar.dataset.gone.replace("{tile}", tile);
  refusal.textContent = sentence;
  clearTimeout(passing);
  passing = setTimeout(() => {
    if (refusal.textContent === sentence) refusal.textContent = "";
  }, 4000);
}

/** Something has happened. On one's turn the tile is laid, or only lit where there is a choice. */
export function follow(choose) {
  if (wish && (wish.round !== round() || isOver())) withdraw();
  if (!wish || !isMyTurn()) {
    if (wish) show();
    return;
  }
  const { tile, end } = wish;
  withdraw();
  const held = byId(`held-${tile}`);
  const moves = held ? fitsOf(held).filter((move) => !end || move.endsWith(`@${end}`)) : [];
  if (!moves.length) tell(tile);
  else if (held.matches(".is-plays")) held.click();
  else {
    choose(tile);
    if (moves.length === 1 || end)
      all(`#board button[name=move][value="${CSS.escape(moves[0])}"]`)
        .find((place) => place.getClientRects().length)
        ?.click();
  }
}

bar.querySelector(".take-back").addEventListener("click", withdraw);
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && withdraw()) event.stopPropagation();
  },
  { capture: true },
);
