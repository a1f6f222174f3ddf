"use strict";
// Tiles that travel: measured before and after the swap, drawn by the Web Animations API, never in anybody's way.
window.boneyard ??= {};
boneyard.flight = (() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const moves = () => !still.matches && document.documentElement.dataset.animation !== "off" && !document.hidden;
  const shown = (selector) => [...document.querySelectorAll(selector)].find((e) => e.getClientRects().length);
  const middle = (r) => [r.left + r.width / 2, r.top + r.height / 2];
  let before = null;

  function measure() {
    if (!moves()) return (before = null);
    const board = shown("#board svg");
    before = {
      hand: new Map([...document.querySelectorAll("#hand .ht")].map((t) => [t.dataset.tile, t.firstElementChild.getBoundingClientRect()])),
      laid: new Set([...document.querySelectorAll("#board [data-tile]:not(button)")].map((t) => t.dataset.tile)),
      seat: shown(".seat.is-turn")?.getBoundingClientRect(),
      heap: shown("#bone")?.getBoundingClientRect(),
      scale: board?.getScreenCTM()?.a,
      scores: new Map([...document.querySelectorAll("[id^=score-]")].map((s) => [s.id, s.textContent])),
    };
  }

  // From a tile in hand it starts at that tile's size; a plate and the heap only say where it starts.
  function fly(element, from, isTile, scale, time, easing) {
    const to = element.getBoundingClientRect(), unit = scale || 1;
    const [fx, fy] = middle(from), [tx, ty] = middle(to);
    const size = isTile ? Math.max(from.width, from.height) / Math.max(to.width, to.height, 1) : 0.6;
    element.style.transformBox = "fill-box";
    element.style.transformOrigin = "center";
    const start = `translate(${(fx - tx) / unit}px, ${(fy - ty) / unit}px) scale(${size})`;
    element.animate([{ transform: start, opacity: 1 }, { transform: "none", opacity: 1 }], { duration: time, easing });
  }

  function play() {
    if (!before || !moves()) return;
    const was = before;
    before = null;
    const board = shown("#board svg"), scale = board?.getScreenCTM()?.a;
    if (was.scale && scale && Math.abs(was.scale / scale - 1) > 0.02)
      board.querySelector(".laid")?.animate([{ transform: `scale(${was.scale / scale})` }, { transform: "none" }], { duration: 400, easing: "ease-out" });
    else
      for (const tile of board?.querySelectorAll(".laid [data-tile]") ?? []) {
        const name = tile.dataset.tile, held = was.hand.get(name), from = held ?? was.seat;
        if (from && !was.laid.has(name)) fly(tile, from, Boolean(held), scale, 200, "cubic-bezier(.3, 1.1, .5, 1)");
      }
    for (const tile of document.querySelectorAll("#hand .ht"))
      if (was.heap && was.hand.size && !was.hand.has(tile.dataset.tile)) fly(tile.firstElementChild, was.heap, false, 1, 220, "ease-out");
    for (const [id, text] of was.scores) {
      const score = document.getElementById(id);
      if (score && score.textContent !== text) score.animate([{ color: "var(--brass)", transform: "translateY(-3px)" }, { transform: "none" }], { duration: 900, easing: "ease-out" });
    }
  }

  return { measure, play, moves };
})();
