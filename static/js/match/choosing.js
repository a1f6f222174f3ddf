// Choosing tiles and places by tap and by drag. What is pressed in the end is always a button of the form.
import { all, byId, isDisabled, isShown } from "../dom.js";
import { sayPlaces } from "./announcer.js";
import { showPlaces } from "./board.js";
import { fitsOf, lazy, proceed, tilesInHand } from "./page.js";

const table = byId("table");
let chosen = "";
let carried = "";
let plan = [];

const places = () => all("#board .spot");
/** The play that a place stands for, of its tile alone. */
const playOf = ({ dataset }) => `${dataset.tile}@${dataset.end}`;
const drawn = (place) => place.closest("g").classList;
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
  places().filter((place) => isShown(place) && !drawn(place).contains("is-planned"));

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
  const move = playOf(place);
  const planned = plan.includes(move);
  const lit = planned || (place.dataset.tile === chosen && goesWithPlan(move));
  drawn(place).toggle("is-hidden", !lit);
  drawn(place).toggle("is-planned", planned);
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

// Few choose ahead, and few order their hand: what does it is asked for then.
const premove = lazy(() => import("./premove.js"));

async function chooseAhead(tile) {
  const made = await premove();
  made?.wishFor(tile);
  made?.follow(choose); // the turn may have come meanwhile
}

/** On one's turn what was chosen before it is laid. */
export async function playAhead() {
  if (premove.made) (await premove()).follow(choose);
}

const order = lazy(() => import("./order.js"));

/** The hand as its holder wants it. */
export async function arrange() {
  if (byId("order") && (order.made || localStorage.getItem("order"))) (await order())?.arrange();
}

function offerOrders() {
  const choice = byId("order");
  if (!choice) return;
  choice.parentElement.hidden = false;
  choice.addEventListener("change", () => {
    localStorage.setItem("order", choice.value);
    if (choice.value) arrange();
    else location.reload(); // as dealt: so the server sends it
  });
}

offerOrders();

function choose(tile) {
  chosen = chosen === tile ? "" : tile;
  show();
  if (chosen) sayPlaces(openPlaces());
}

let passing = 0;

// Why it cannot be pressed stands at what was pressed for a while, and is said.
function tellWhyNot(button) {
  const tile = button.matches(".is-off") ? button.dataset.tile : "";
  const { wants } = byId("hand").dataset;
  const why = tile ? [`${tile} ${button.title}`, ...(wants ? [wants] : [])].join(": ") : button.title;
  if (!button.title) return;
  const refusal = byId("refusal");
  refusal.textContent = `${why}.`;
  refusal.classList.add("is-beside");
  const [felt, at, box] = [table, button, refusal].map((each) => each.getBoundingClientRect());
  const middle = at.left + at.width / 2 - felt.left - table.clientLeft;
  const half = box.width / 2 + 4;
  const left = Math.min(Math.max(middle, half), table.clientWidth - half);
  Object.assign(refusal.style, {
    left: `${left}px`,
    bottom: `${felt.bottom - at.top - table.clientLeft + 6}px`,
  });
  clearTimeout(passing);
  passing = setTimeout(() => {
    if (refusal.textContent === `${why}.`) refusal.textContent = "";
  }, 4000);
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
  if (plan.length && !fitsOf(tile).some((move) => move.includes("@"))) return;
  chosen = tile.dataset.tile;
  carried = chosen;
  show();
  for (const place of places().filter((each) => each.dataset.tile === chosen))
    drawn(place).toggle("is-hidden", !goesWithPlan(playOf(place)));
}

/** What was carried has been let go; its choice ends. */
export function letGo() {
  chosen = "";
  carried = "";
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

/** The same was sent once more, as after a lost line or a turn of the screen: what is chosen is lit again. */
export function relight() {
  const isCarried = (each) => each.dataset.tile === carried && carried === chosen;
  const tile = tilesInHand().find(isCarried);
  if (tile) carry(tile);
  else if (chosen || plan.length) keep();
}

/** What the server had chosen without a script goes on with one. */
export function adopt() {
  chosen = tilesInHand().find((tile) => tile.classList.contains("is-chosen"))?.dataset.tile ?? "";
  const planned = places().filter((place) => drawn(place).contains("is-planned"));
  plan = [...new Set(planned.map(playOf))];
  show();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button, a");
  if (!button) return;
  if (button.matches(".hand-tile.is-waits") && "ahead" in byId("hand").dataset) {
    event.preventDefault();
    chooseAhead(button.dataset.tile);
  } else if (isDisabled(button)) {
    event.preventDefault();
    tellWhyNot(button);
  } else if (button.matches(".hand-tile[form=pick]")) {
    event.preventDefault();
    const move = plan.find((each) => tileOf(each) === button.dataset.tile);
    if (move) toggle(move);
    else choose(button.dataset.tile);
  } else if (button.matches("#board button[form=pick]")) {
    event.preventDefault();
    toggle(playOf(button));
  }
});

// Dragging is asked for with the first touch of a tile, and told then what has happened since.
const FINGER = ["pointermove", "pointerup", "pointercancel"];
const dragging = lazy(() => import("./dragging.js"));
let early = null;
const hand = { carry, letGo, openPlaces, order };

function follow(event) {
  if (dragging.made) dragging.made.follow(event, hand);
  else early.push(event);
}

table?.addEventListener("pointerdown", async (event) => {
  if (event.button || !event.target.closest?.("#hand .hand-tile")) return;
  if (!early) for (const name of FINGER) addEventListener(name, follow);
  early ??= [];
  follow(event);
  await dragging();
  for (const each of early.splice(0)) dragging.made?.follow(each, hand);
});
