// Choosing tiles and places by tap and by drag. What is pressed in the end is always a button of the form.
import { all, byId, isDisabled, isShown } from "../dom.js";
import { sayPlaces } from "./announcer.js";
import { showPlaces } from "./board.js";
import { proceed, tilesInHand } from "./page.js";

let chosen = "";
let plan = [];

const places = () => all("#board button[data-move]");
const legal = () => (byId("hand")?.dataset.legal ?? "").split(" ").filter(Boolean);
const sets = () =>
  legal()
    .filter((move) => move.includes("+"))
    .map((move) => move.split("+"));
const tileOf = (move) => move.split("@")[0];
const endOf = (move) => move.at(-1);
const inOrder = (moves) => [...moves].sort((a, b) => "LRUD".indexOf(endOf(a)) - "LRUD".indexOf(endOf(b)));

/** The places that are seen and still free. */
export const openPlaces = () =>
  places().filter((place) => isShown(place) && !place.classList.contains("is-planned"));

export const isPlanning = () => plan.length > 0;

function goesWithPlan(move) {
  if (!plan.length) return true;
  if (plan.some((planned) => tileOf(planned) === tileOf(move) || endOf(planned) === endOf(move)))
    return false;
  return sets().some((set) => [...plan, move].every((each) => set.includes(each)));
}

function show() {
  tilesInHand().forEach(showTile);
  places().forEach(showPlace);
  if (chosen || plan.length) proceed();
  showTogether();
  showPlaces();
  if (!chosen) sayPlaces([]);
}

function showTile(tile) {
  if (!tile.hasAttribute("aria-pressed")) return;
  const planned = plan.some((move) => tileOf(move) === tile.dataset.tile);
  const now = tile.dataset.tile === chosen;
  tile.setAttribute("aria-pressed", String(planned || now));
  tile.classList.toggle("is-planned", planned);
  tile.classList.toggle("is-chosen", now);
}

function showPlace(place) {
  const { move, tile } = place.dataset;
  const planned = plan.includes(move);
  const lit = planned || (tile === chosen && goesWithPlan(move));
  for (const part of all(`#board [data-move="${CSS.escape(move)}"]`)) {
    part.classList.toggle("is-hidden", !lit);
    part.classList.toggle("is-planned", planned);
  }
  if (planned) place.setAttribute("aria-pressed", "true");
  else place.removeAttribute("aria-pressed");
}

function showTogether() {
  const button = byId("together");
  if (!button) return;
  const move = inOrder(plan).join("+");
  button.textContent = button.dataset.words.split("|")[Math.max(0, plan.length - 1)];
  if (legal().includes(move)) {
    button.type = "submit";
    button.name = "move";
    button.value = move;
    button.removeAttribute("aria-disabled");
    button.removeAttribute("title");
  } else {
    button.type = "button";
    button.removeAttribute("name");
    button.setAttribute("aria-disabled", "true");
    button.title = button.dataset.why;
  }
}

function choose(tile) {
  chosen = chosen === tile ? "" : tile;
  show();
  if (chosen) sayPlaces(openPlaces());
}

// Why it cannot be pressed stands where it is seen, and is said.
function tellWhyNot(button) {
  const what = button.dataset.tile ? [button.dataset.tile] : [];
  if (button.title) byId("refusal").textContent = `${[...what, button.title].join(" ")}.`;
}

function toggle(move) {
  plan = plan.includes(move) ? plan.filter((each) => each !== move) : [...plan, move];
  chosen = "";
  show();
}

export function forget() {
  chosen = "";
  plan = [];
  show();
}

/** Light the places of the tile that is carried, a tile that fits a single end too. */
export function carry(tile) {
  if (plan.length && !tile.dataset.fits.includes("@")) return;
  chosen = tile.dataset.tile;
  show();
  for (const place of all(`#board [data-move][data-tile="${tile.dataset.tile}"]`))
    place.classList.toggle("is-hidden", !goesWithPlan(place.dataset.move));
}

/** What was carried has been let go; its choice ends. */
export function letGo() {
  chosen = "";
  show();
}

/** A call by somebody else, or one's own draw, leaves a choice standing that still can be played. */
export function keep() {
  const still = tilesInHand().find((tile) => tile.dataset.tile === chosen && tile.matches("[form=pick]"));
  chosen = still ? chosen : "";
  plan = plan.filter((move) => legal().includes(move));
  if (plan.length > 1 && !sets().some((set) => plan.every((move) => set.includes(move)))) plan = [];
  show();
}

/** What the server had chosen without a script goes on with one. */
export function adopt() {
  chosen = tilesInHand().find((tile) => tile.classList.contains("is-chosen"))?.dataset.tile ?? "";
  const planned = places().filter((place) => place.classList.contains("is-planned"));
  plan = [...new Set(planned.map((place) => place.dataset.move))];
  show();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button, a");
  if (!button) return;
  if (isDisabled(button)) {
    event.preventDefault();
    tellWhyNot(button);
  } else if (button.matches(".hand-tile[form=pick]")) {
    event.preventDefault();
    const move = plan.find((each) => tileOf(each) === button.dataset.tile);
    if (move) toggle(move);
    else choose(button.dataset.tile);
  } else if (button.matches("#board button[form=pick]")) {
    event.preventDefault();
    toggle(button.dataset.move);
  }
});

// Dragging

const FAR = 8; // pixels from where a press becomes a drag
const REACH = 90; // pixels from a place's middle
const table = byId("table");
let drag = null;

table?.addEventListener("pointerdown", (event) => {
  const tile = event.target.closest?.("#hand .hand-tile");
  if (!tile || event.button || !tile.dataset.fits) return;
  drag = { tile, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null };
});

function lift() {
  const art = drag.tile.querySelector("svg");
  const size = art.getBoundingClientRect();
  drag.ghost = art.cloneNode(true);
  drag.ghost.classList.add("flying");
  Object.assign(drag.ghost.style, { width: `${size.width}px`, height: `${size.height}px`, left: 0, top: 0 });
  drag.dx = size.left - drag.x;
  drag.dy = size.top - drag.y;
  table.append(drag.ghost);
  drag.tile.classList.add("is-dragged");
  carry(drag.tile);
}

addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    lift();
  }
  drag.ghost.style.transform = `translate(${event.clientX + drag.dx}px, ${event.clientY + drag.dy}px)`;
});

function nearest(x, y) {
  const distance = (place) => {
    const box = place.getBoundingClientRect();
    return Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y);
  };
  const near = openPlaces()
    .map((place) => [distance(place), place])
    .filter(([far]) => far < REACH);
  return near.sort((a, b) => a[0] - b[0])[0]?.[1];
}

function swallowClick(event, tile) {
  if (!tile.contains(event.target)) return;
  event.preventDefault();
  event.stopPropagation();
}

function drop(event) {
  if (!drag || event.pointerId !== drag.id) return;
  const { tile, ghost } = drag;
  drag = null;
  if (!ghost) return;
  ghost.remove();
  tile.classList.remove("is-dragged");
  // The press that ends a drag is no tap on the tile.
  addEventListener("click", (click) => swallowClick(click, tile), { capture: true, once: true });
  setTimeout(() => finish(tile, event), 0);
}

function finish(tile, event) {
  const place = event.type === "pointerup" && nearest(event.clientX, event.clientY);
  const onBoard = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board");
  if (place) place.click();
  else if (onBoard && tile.classList.contains("is-plays")) tile.click();
  else if (!tile.classList.contains("is-plays")) return; // its places stay lit for a tap
  letGo();
}

addEventListener("pointerup", drop);
addEventListener("pointercancel", drop);
