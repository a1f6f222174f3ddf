// The first deal: the tiles are shuffled on the felt and dealt. A press or a key shows the hand at once.
import { all, byId } from "../dom.js";
import { tilesInHand } from "./page.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const SHUFFLED_TILES = 8;
const SHUFFLE_MS = 650;
const FLIGHT_MS = 240;
const INTERVAL_MS = 65; // between two tiles of a hand
const RADIUS = 90; // of the heap, in units of the drawing

function createHeap() {
  const heap = document.createElementNS(SVG_NAMESPACE, "svg");
  heap.setAttribute("viewBox", "-240 -160 480 320");
  heap.setAttribute("aria-hidden", "true");
  heap.classList.add("shuffle");
  for (let tile = 0; tile < SHUFFLED_TILES; tile++) {
    const back = document.createElementNS(SVG_NAMESPACE, "use");
    back.setAttribute("href", "#bk");
    heap.append(back);
  }
  return heap;
}

// Each tile goes around the middle of the heap, by its own way.
function shuffle(heap) {
  return [...heap.children].map((back, tile) => {
    const frames = Array.from({ length: 4 }, (_, step) => {
      const angle = (2 * Math.PI * (tile + step * 3)) / SHUFFLED_TILES;
      const [x, y] = [RADIUS * Math.cos(angle), 0.6 * RADIUS * Math.sin(angle)];
      return { transform: `translate(${x}px, ${y}px) rotate(${(tile * 47 + step * 110) % 360}deg)` };
    });
    return back.animate(frames, { duration: SHUFFLE_MS, easing: "ease-in-out", fill: "forwards" });
  });
}

function flyFrom(heap, tile, delay) {
  const [from, to] = [heap, tile].map((each) => each.getBoundingClientRect());
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  const frames = [
    { transform: `translate(${x}px, ${y}px) scale(.6)`, opacity: 0 },
    { opacity: 1, offset: 0.2 },
    { transform: "none", opacity: 1 },
  ];
  return tile.animate(frames, { delay, duration: FLIGHT_MS, easing: "ease-out", fill: "backwards" });
}

function deal(heap) {
  const hand = tilesInHand();
  const own = hand.map((tile, nth) => flyFrom(heap, tile.firstElementChild, SHUFFLE_MS + nth * INTERVAL_MS));
  const duration = FLIGHT_MS + hand.length * INTERVAL_MS;
  const others = all(".seat:not(.mine) .backs").map((backs) =>
    backs.animate([{ opacity: 0 }, { opacity: 1 }], { delay: SHUFFLE_MS, duration, fill: "backwards" }),
  );
  return [...own, ...others];
}

/** Animate the first deal. */
export function animateDeal() {
  const heap = createHeap();
  byId("table").append(heap);
  const animations = [...shuffle(heap), ...deal(heap)];
  const skip = () => {
    for (const each of animations) each.finish();
  };
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, skip, { once: true, capture: true });
  Promise.allSettled(animations.map((each) => each.finished)).then(() => {
    heap.remove();
    for (const name of ["pointerdown", "keydown"]) removeEventListener(name, skip, { capture: true });
    byId("table").classList.remove("is-dealing");
  });
}
