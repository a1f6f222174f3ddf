// Selection of tiles and places by tap and drag. Moves are always sent by a button of the form.
import { byId, isDisabled, isShown, lasting, reload } from "../dom.js";
import { announcePlaces } from "./announcer.js";
import { scrollToPlaces } from "./board.js";
import { dismissScene, lazy, playsOf, tilesInHand } from "./page.js";
import { countAfter, endOf, places, playOfPlace, showCount } from "./plan-count.js";

const table = byId("table");
let selectedTile = "";
let draggedTile = "";
let plan = [];

const classesOf = (place) => place.closest("g").classList;
const legalMoves = () => (byId("hand")?.dataset.legal ?? "").split(" ").filter(Boolean);
const multiTileMoves = () =>
  legalMoves()
    .filter((move) => move.includes("+"))
    .map((move) => move.split("+"));
const tileOf = (move) => move.split("@")[0];
const sortByEnd = (moves) => [...moves].sort((a, b) => "LRUD".indexOf(endOf(a)) - "LRUD".indexOf(endOf(b)));

/** Return the visible places that are not in the plan. */
export const openPlaces = () =>
  places().filter((place) => isShown(place) && !classesOf(place).contains("is-planned"));

export const isPlanning = () => plan.length > 0;

function fitsPlan(move) {
  if (!plan.length) return true;
  if (plan.some((planned) => tileOf(planned) === tileOf(move) || endOf(planned) === endOf(move)))
    return false;
  return multiTileMoves().some((set) => [...plan, move].every((each) => set.includes(each)));
}

function render() {
  tilesInHand().forEach(renderTile);
  places().forEach(renderPlace);
  if (selectedTile || plan.length) dismissScene();
  renderPlanButton();
  showCount(plan);
  scrollToPlaces();
  if (!selectedTile) announcePlaces([]);
}

function renderTile(tile) {
  if (!tile.hasAttribute("aria-pressed")) return;
  const planned = plan.some((move) => tileOf(move) === tile.dataset.tile);
  const now = tile.dataset.tile === selectedTile;
  tile.setAttribute("aria-pressed", String(planned || now));
  tile.classList.toggle("is-planned", planned);
  tile.classList.toggle("is-chosen", now);
}

function renderPlace(place) {
  const move = playOfPlace(place);
  const planned = plan.includes(move);
  const lit = planned || (place.dataset.tile === selectedTile && fitsPlan(move));
  classesOf(place).toggle("is-hidden", !lit);
  classesOf(place).toggle("is-planned", planned);
  if (planned) place.setAttribute("aria-pressed", "true");
  else place.removeAttribute("aria-pressed");
  const count = lit && place.dataset.count ? countAfter([...new Set([...plan, move])]) : null;
  const chip = place.closest("g").querySelector("text");
  if (!chip || count === null) return;
  chip.textContent = `=${count}`;
  chip.parentElement.classList.toggle("is-scoring", count > 0 && count % 5 === 0);
}

function renderPlanButton() {
  const button = byId("together");
  if (!button) return;
  const move = sortByEnd(plan).join("+");
  const isLegal = legalMoves().includes(move);
  const count = isLegal ? countAfter(plan) : null;
  const words = button.dataset.words.split("|")[Math.max(0, plan.length - 1)];
  button.textContent = count === null ? words : `${words}, ${button.dataset.makes.replace("0", count)}`;
  if (isLegal) {
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

// Premoves and hand orders are rare: load their modules on first use.
const premove = lazy(async () => {
  const module = await import("./premove.js");
  await module.styled; // without styles its bar would push the table aside
  return module;
});

async function choosePremove(tile) {
  const module = await premove();
  module?.togglePremove(tile);
  module?.applyPremove(selectTile); // the turn may have come while the module was loading
}

/** Play the premove if it is the viewer's turn. */
export async function playPremove() {
  if (premove.module) (await premove()).applyPremove(selectTile);
}

const order = lazy(() => import("./hand-order.js"));

/** Sort the hand in the order that the viewer chose. */
export async function arrange() {
  if (byId("order") && (order.module || lasting.getItem("order"))) (await order())?.arrange();
}

function initOrderMenu() {
  const choice = byId("order");
  if (!choice) return;
  choice.parentElement.hidden = false;
  choice.addEventListener("change", () => {
    lasting.setItem("order", choice.value);
    if (choice.value) arrange();
    else reload(); // the server sends the order of the deal
  });
}

initOrderMenu();

function selectTile(tile) {
  selectedTile = selectedTile === tile ? "" : tile;
  render();
  if (selectedTile) announcePlaces(openPlaces());
}

/** Select a tile for the viewer, whose focus then moves to the first of its places. */
function chooseTile(tile) {
  selectTile(tile);
  const [only, ...others] = selectedTile ? openPlaces() : [];
  if (only?.matches("[form=pick]") && !others.length) {
    togglePlanned(playOfPlace(only)); // one press less: there is nothing to choose
    tilesInHand()
      .find((each) => each.dataset.tile === tile)
      ?.focus({ preventScroll: true });
    return;
  }
  if (selectedTile) openPlaces()[0]?.focus({ preventScroll: true });
}

const REASON_DISPLAY_MS = 4000;
let reasonTimer = 0;

// Show for a while, beside a disabled button, why it is disabled.
function showReason(button) {
  const namesTile = /\d-\d/.test(button.title); // "5-5 must lead"
  const tile = button.matches(".is-off") && !namesTile ? button.dataset.tile : "";
  const { wants } = byId("hand").dataset;
  const why = tile ? [`${tile} ${button.title}`, ...(wants ? [wants] : [])].join(": ") : button.title;
  if (!button.title) return;
  const refusal = byId("refusal");
  refusal.textContent = why.endsWith(".") ? why : `${why}.`;
  refusal.classList.add("is-beside");
  const [felt, at, box] = [table, button, refusal].map((each) => each.getBoundingClientRect());
  const middle = at.left + at.width / 2 - felt.left - table.clientLeft;
  const half = box.width / 2 + 4;
  const left = Math.min(Math.max(middle, half), table.clientWidth - half);
  Object.assign(refusal.style, {
    left: `${left}px`,
    bottom: `${felt.bottom - at.top - table.clientLeft + 6}px`,
  });
  clearTimeout(reasonTimer);
  reasonTimer = setTimeout(() => {
    if (refusal.textContent === `${why}.`) refusal.textContent = "";
  }, REASON_DISPLAY_MS);
}

function togglePlanned(move) {
  plan = plan.includes(move) ? plan.filter((each) => each !== move) : [...plan, move];
  selectedTile = "";
  render();
}

/** Move the focus from a place back to the tile of this move. */
export function focusTile(move, options) {
  if (document.activeElement?.matches("#board .spot"))
    tilesInHand()
      .find((tile) => tile.dataset.tile === tileOf(move))
      ?.focus(options);
}

export function clearSelection() {
  focusTile(selectedTile);
  selectedTile = "";
  plan = [];
  render();
}

/** Highlight the places of a dragged tile, also if it fits a single end. */
export function startDrag(tile) {
  if (plan.length && !playsOf(tile).some((move) => move.includes("@"))) return;
  selectedTile = tile.dataset.tile;
  draggedTile = selectedTile;
  render();
  for (const place of places().filter((each) => each.dataset.tile === selectedTile))
    classesOf(place).toggle("is-hidden", !fitsPlan(playOfPlace(place)));
}

/** Clear the selection of a dropped tile. */
export function endDrag() {
  selectedTile = "";
  draggedTile = "";
  render();
}

/** Keep what is still legal of the selection, after another player's call or a draw. */
export function keepLegalSelection() {
  const still = tilesInHand().find(
    (tile) => tile.dataset.tile === selectedTile && tile.matches("[form=pick]") && !isDisabled(tile),
  );
  selectedTile = still ? selectedTile : "";
  plan = plan.filter((move) => legalMoves().includes(move));
  if (plan.length > 1 && !multiTileMoves().some((set) => plan.every((move) => set.includes(move)))) plan = [];
  render();
}

/** Highlight the selection again after the same version was rendered again, as after a reconnect or rotation. */
export function restoreSelection() {
  const isCarried = (each) => each.dataset.tile === draggedTile && draggedTile === selectedTile;
  const tile = tilesInHand().find(isCarried);
  if (tile) startDrag(tile);
  else if (selectedTile || plan.length) keepLegalSelection();
}

/** Take over a selection that the server rendered. */
export function adoptSelection() {
  selectedTile = tilesInHand().find((tile) => tile.classList.contains("is-chosen"))?.dataset.tile ?? "";
  const planned = places().filter((place) => classesOf(place).contains("is-planned"));
  plan = [...new Set(planned.map(playOfPlace))];
  render();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button, a");
  if (!button) return;
  if (button.matches(".hand-tile.is-waits") && "ahead" in byId("hand").dataset) {
    event.preventDefault();
    choosePremove(button.dataset.tile);
  } else if (isDisabled(button)) {
    event.preventDefault();
    showReason(button);
  } else if (button.matches(".hand-tile[form=pick]")) {
    event.preventDefault();
    const move = plan.find((each) => tileOf(each) === button.dataset.tile);
    if (move) togglePlanned(move);
    else chooseTile(button.dataset.tile);
  } else if (button.matches("#board button[form=pick]")) {
    event.preventDefault();
    const move = playOfPlace(button);
    focusTile(move); // where Enter plays all planned tiles
    togglePlanned(move);
  }
});

// The module loads on the first touch of a tile. Until then its events are queued.
const POINTER_EVENTS = ["pointermove", "pointerup", "pointercancel"];
const dragging = lazy(() => import("./dragging.js"));
let queuedEvents = null;
const selection = { startDrag, endDrag, openPlaces, order };

function forwardToDragging(event) {
  if (dragging.module) dragging.module.handlePointerEvent(event, selection);
  else queuedEvents.push(event);
}

table?.addEventListener("pointerdown", async (event) => {
  if (event.button || !event.target.closest?.("#hand .hand-tile")) return;
  if (!queuedEvents) for (const name of POINTER_EVENTS) addEventListener(name, forwardToDragging);
  queuedEvents ??= [];
  forwardToDragging(event);
  await dragging();
  for (const each of queuedEvents.splice(0)) dragging.module?.handlePointerEvent(each, selection);
});
