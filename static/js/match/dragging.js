// Tiles that are carried to a place by hand, or along the rack.
import { byId } from "../dom.js";
import { fitsOf } from "./page.js";

const FAR = 8; // pixels from where a press becomes a drag
const REACH = 90; // pixels from a place's middle
let drag = null;
let hand = null; // carry, letGo, openPlaces, order: given by static/js/match/choosing.js

function grip({ target, clientX, clientY, pointerId }) {
  drag = { tile: target.closest(".hand-tile"), x: clientX, y: clientY, id: pointerId, ghost: null };
}

function lift() {
  const art = drag.tile.querySelector("svg");
  const size = art.getBoundingClientRect();
  drag.ghost = art.cloneNode(true);
  drag.ghost.classList.add("flying");
  Object.assign(drag.ghost.style, { width: `${size.width}px`, height: `${size.height}px`, left: 0, top: 0 });
  drag.dx = size.left - drag.x;
  drag.dy = size.top - drag.y;
  byId("table").append(drag.ghost);
  drag.tile.classList.add("is-dragged");
  if (fitsOf(drag.tile).length) hand.carry(drag.tile);
}

function move(event) {
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    lift();
  }
  drag.ghost.style.transform = `translate(${event.clientX + drag.dx}px, ${event.clientY + drag.dy}px)`;
}

function nearest(x, y) {
  const distance = (place) => {
    const box = place.getBoundingClientRect();
    return Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y);
  };
  const near = hand
    .openPlaces()
    .map((place) => [distance(place), place])
    .filter(([far]) => far < REACH);
  return near.sort((a, b) => a[0] - b[0])[0]?.[1];
}

function swallow(click) {
  click.preventDefault();
  click.stopPropagation();
}

function drop(event) {
  const { tile, ghost } = drag;
  drag = null;
  if (!ghost) return;
  ghost.remove();
  tile.classList.remove("is-dragged");
  // The press that ends a drag is no tap on the tile: a mouse's click follows at once, a finger's never comes.
  addEventListener("click", swallow, { capture: true });
  setTimeout(() => {
    removeEventListener("click", swallow, { capture: true });
    finish(tile, event);
  }, 0);
}

function finish(tile, { type, clientX, clientY }) {
  const isLetGo = type === "pointerup";
  const under = document.elementFromPoint(clientX, clientY);
  const place = isLetGo && nearest(clientX, clientY);
  if (isLetGo && under?.closest("#hand")) hand.order().then((made) => made?.moveTo(tile, clientX, clientY));
  if (!place && !tile.classList.contains("is-plays")) return; // its places stay lit for a tap
  tile.classList.add("is-dropped");
  if (place) place.click();
  else if (under?.closest("#board")) tile.click();
  tile.classList.remove("is-dropped");
  hand.letGo();
}

/** A finger has come down on a tile, moves or lets go. */
export function follow(event, choosing) {
  hand = choosing;
  if (event.type === "pointerdown") grip(event);
  else if (!drag || event.pointerId !== drag.id) return;
  else if (event.type === "pointermove") move(event);
  else drop(event);
}
