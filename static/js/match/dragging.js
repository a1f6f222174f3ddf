// Dragging of tiles to a place or within the rack.
import { byId } from "../dom.js";
import { playsOf } from "./page.js";

const DRAG_THRESHOLD_PX = 8;
const DROP_RADIUS_PX = 90; // from the middle of a place
let drag = null;
let selection = null; // {startDrag, endDrag, openPlaces, order} of selection.js

function pick({ target, clientX, clientY, pointerId }) {
  drag = { tile: target.closest(".hand-tile"), x: clientX, y: clientY, id: pointerId, ghost: null };
}

function createGhost() {
  const art = drag.tile.querySelector("svg");
  const size = art.getBoundingClientRect();
  drag.ghost = art.cloneNode(true);
  drag.ghost.classList.add("flying");
  Object.assign(drag.ghost.style, { width: `${size.width}px`, height: `${size.height}px`, left: 0, top: 0 });
  drag.dx = size.left - drag.x;
  drag.dy = size.top - drag.y;
  byId("table").append(drag.ghost);
  drag.tile.classList.add("is-dragged");
  if (playsOf(drag.tile).length) selection.startDrag(drag.tile);
}

function move(event) {
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_THRESHOLD_PX) return;
    createGhost();
  }
  drag.ghost.style.transform = `translate(${event.clientX + drag.dx}px, ${event.clientY + drag.dy}px)`;
}

function findNearestPlace(x, y) {
  const distance = (place) => {
    const box = place.getBoundingClientRect();
    return Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y);
  };
  const near = selection
    .openPlaces()
    .map((place) => [distance(place), place])
    .filter(([far]) => far < DROP_RADIUS_PX);
  return near.sort((a, b) => a[0] - b[0])[0]?.[1];
}

function stopClick(click) {
  click.preventDefault();
  click.stopPropagation();
}

function drop(event) {
  const { tile, ghost } = drag;
  drag = null;
  if (!ghost) return;
  ghost.remove();
  tile.classList.remove("is-dragged");
  // The end of a drag must not click the tile. A mouse sends the click at once, a finger sends none.
  addEventListener("click", stopClick, { capture: true });
  setTimeout(() => {
    removeEventListener("click", stopClick, { capture: true });
    finish(tile, event);
  }, 0);
}

function finish(tile, { type, clientX, clientY }) {
  const isReleased = type === "pointerup";
  const under = document.elementFromPoint(clientX, clientY);
  const place = isReleased && findNearestPlace(clientX, clientY);
  if (isReleased && under?.closest("#hand"))
    selection.order().then((module) => module?.moveTo(tile, clientX, clientY));
  if (!place && !tile.classList.contains("is-plays")) return; // its places stay highlighted for a tap
  tile.classList.add("is-dropped");
  if (place) place.click();
  else if (under?.closest("#board")) tile.click();
  tile.classList.remove("is-dropped");
  selection.endDrag();
}

/** Handle a pointer event that began on a tile. */
export function handlePointerEvent(event, selectionApi) {
  selection = selectionApi;
  if (event.type === "pointerdown") pick(event);
  else if (!drag || event.pointerId !== drag.id) return;
  else if (event.type === "pointermove") move(event);
  else drop(event);
}
