"use strict";
// Choosing tiles and places: by tap, by drag, by key. What is pressed in the end is always a button of the form.
window.boneyard ??= {};
boneyard.choosing = (() => {
  const table = document.getElementById("table");
  let chosen = "", plan = [], waiting = 0;

  const hand = () => document.getElementById("hand");
  const held = () => [...document.querySelectorAll("#hand .ht")];
  const places = () => [...document.querySelectorAll("#board button[data-move]")];
  const open = () => places().filter((p) => p.getClientRects().length && !p.classList.contains("is-planned"));
  const legal = () => (hand()?.dataset.legal ?? "").split(" ").filter(Boolean);
  const tileOf = (move) => move.split("@")[0];
  const inOrder = (moves) => [...moves].sort((a, b) => "LRUD".indexOf(a.at(-1)) - "LRUD".indexOf(b.at(-1)));
  const sets = () => legal().filter((m) => m.includes("+")).map((m) => m.split("+"));

  function goesWithPlan(move) {
    if (!plan.length) return true;
    if (plan.some((p) => tileOf(p) === tileOf(move) || p.at(-1) === move.at(-1))) return false;
    return sets().some((set) => [...plan, move].every((m) => set.includes(m)));
  }

  function show() {
    for (const tile of held()) {
      if (!tile.hasAttribute("aria-pressed")) continue;
      const planned = plan.some((m) => tileOf(m) === tile.dataset.tile), now = tile.dataset.tile === chosen;
      tile.setAttribute("aria-pressed", String(planned || now));
      tile.classList.toggle("is-planned", planned);
      tile.classList.toggle("is-chosen", now);
    }
    for (const place of places()) {
      const move = place.dataset.move, planned = plan.includes(move);
      const lit = planned || (place.dataset.tile === chosen && goesWithPlan(move));
      for (const part of document.querySelectorAll(`#board [data-move="${CSS.escape(move)}"]`)) {
        part.classList.toggle("is-hidden", !lit);
        part.classList.toggle("is-planned", planned);
      }
      if (planned) place.setAttribute("aria-pressed", "true");
      else place.removeAttribute("aria-pressed");
    }
    if (chosen || plan.length) document.getElementById("round-end").classList.add("is-closed"); // it lies over the places
    showTogether();
  }

  function showTogether() {
    const button = document.getElementById("together");
    if (!button) return;
    const move = inOrder(plan).join("+"), ready = legal().includes(move);
    button.textContent = button.dataset.words.split("|")[Math.max(0, plan.length - 1)];
    button.type = ready ? "submit" : "button";
    if (ready) { button.name = "move"; button.value = move; button.removeAttribute("aria-disabled"); button.removeAttribute("title"); }
    else { button.removeAttribute("name"); button.setAttribute("aria-disabled", "true"); button.title = button.dataset.why; }
  }

  function choose(tile) {
    chosen = chosen === tile ? "" : tile;
    show();
  }

  function toggle(move) {
    plan = plan.includes(move) ? plan.filter((m) => m !== move) : [...plan, move];
    chosen = "";
    show();
  }

  function forget() {
    chosen = "";
    plan = [];
    show();
  }

  // A call by somebody else, or one's own draw, leaves a choice standing that still can be played.
  function keep() {
    const still = held().find((t) => t.dataset.tile === chosen && t.matches("[form=pick]"));
    chosen = still ? chosen : "";
    plan = plan.filter((m) => legal().includes(m));
    if (plan.length > 1 && !sets().some((set) => plan.every((m) => set.includes(m)))) plan = [];
    show();
  }

  // What the server had chosen without a script goes on with one.
  function adopt() {
    chosen = held().find((t) => t.classList.contains("is-chosen"))?.dataset.tile ?? "";
    plan = places().filter((p) => p.classList.contains("is-planned")).map((p) => p.dataset.move);
    plan = [...new Set(plan)];
    show();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button, a");
    if (!button) return;
    if (button.getAttribute("aria-disabled") === "true") return event.preventDefault();
    if (button.matches(".ht[form=pick]")) {
      event.preventDefault();
      const move = plan.find((m) => tileOf(m) === button.dataset.tile);
      if (move) toggle(move);
      else choose(button.dataset.tile);
    } else if (button.matches("#board button[form=pick]")) {
      event.preventDefault();
      toggle(button.dataset.move);
    }
  });

  // Nobody may move while the last play can still be called; the press counts when that is over.
  document.getElementById("play")?.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=move]"), until = document.getElementById("sync").dataset.wait;
    if (!button || !until || button.value === "muggins") return;
    const rest = boneyard.clocks.left(until) * 1000;
    if (rest <= 0) return;
    event.preventDefault();
    event.stopPropagation();
    const version = document.getElementById("version").value;
    clearTimeout(waiting);
    waiting = setTimeout(() => { if (document.getElementById("version").value === version) button.click(); }, rest + 60);
  }, { capture: true });

  // Dragging

  let drag = null;

  table?.addEventListener("pointerdown", (event) => {
    const tile = event.target.closest?.("#hand .ht");
    if (!tile || event.button || !tile.dataset.fits) return;
    drag = { tile, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null };
  });

  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8) return;
      const art = drag.tile.querySelector("svg"), size = art.getBoundingClientRect();
      drag.ghost = art.cloneNode(true);
      drag.ghost.classList.add("flying");
      Object.assign(drag.ghost.style, { width: `${size.width}px`, height: `${size.height}px`, left: 0, top: 0 });
      drag.dx = size.left - drag.x;
      drag.dy = size.top - drag.y;
      table.append(drag.ghost);
      drag.tile.classList.add("is-dragged");
      if (!plan.length || drag.tile.dataset.fits.includes("@")) { chosen = drag.tile.dataset.tile; lightFor(drag.tile); }
    }
    drag.ghost.style.transform = `translate(${event.clientX + drag.dx}px, ${event.clientY + drag.dy}px)`;
  });

  // A tile that fits one end shows its place only while it is carried.
  function lightFor(tile) {
    show();
    for (const place of document.querySelectorAll(`#board [data-move][data-tile="${tile.dataset.tile}"]`))
      place.classList.toggle("is-hidden", !goesWithPlan(place.dataset.move));
  }

  function nearest(x, y) {
    const reach = 90;
    const ranked = open().map((p) => { const r = p.getBoundingClientRect(); return [Math.hypot(r.left + r.width / 2 - x, r.top + r.height / 2 - y), p]; });
    ranked.sort((a, b) => a[0] - b[0]);
    return ranked.length && ranked[0][0] < reach ? ranked[0][1] : null;
  }

  function drop(event) {
    if (!drag || event.pointerId !== drag.id) return;
    const { tile, ghost } = drag;
    drag = null;
    if (!ghost) return;
    ghost.remove();
    tile.classList.remove("is-dragged");
    // The press that ends a drag is no tap on the tile.
    addEventListener("click", (e) => { if (tile.contains(e.target)) { e.preventDefault(); e.stopPropagation(); } }, { capture: true, once: true });
    setTimeout(() => finish(tile, event), 0);
  }

  function finish(tile, event) {
    const place = event.type === "pointerup" && nearest(event.clientX, event.clientY);
    const onBoard = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board");
    if (place) place.click();
    else if (onBoard && tile.classList.contains("is-plays")) tile.click();
    else if (!tile.classList.contains("is-plays")) return; // its places stay lit for a tap
    chosen = "";
    show();
  }

  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);

  // Keys

  const ENDS = { ArrowLeft: "L", ArrowRight: "R", ArrowUp: "U", ArrowDown: "D", l: "L", r: "R", u: "U", d: "D" };

  function press(selector) {
    const button = document.querySelector(selector);
    if (button && button.getAttribute("aria-disabled") !== "true") button.click();
    return Boolean(button);
  }

  function key(event) {
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key, onButton = event.target.closest?.("button:not([aria-disabled=true]), a, summary");
    if (/^[1-9]$/.test(name)) {
      const tile = held()[Number(name) - 1];
      tile?.focus();
      if (tile && tile.getAttribute("aria-disabled") !== "true") tile.click();
      return Boolean(tile);
    }
    if (name in ENDS) {
      const place = open().find((p) => p.dataset.end === ENDS[name]);
      place?.click();
      return Boolean(place);
    }
    if (name === "p") return press("#acts .pass");
    if (name === "m") return press("#acts .call");
    if (name === "Escape") { forget(); if (location.hash) location.hash = "#main"; return false; }
    if (name === "Enter" && event.target.matches(".ht.is-planned")) return press("#together");
    if (onButton) return false; // Enter and Space press what has the focus
    if (name === " ") return press("#bone button");
    if (name === "Enter") {
      if (plan.length) return press("#together");
      const lit = open();
      if (lit.length === 1) lit[0].click();
      return lit.length === 1;
    }
    return false;
  }

  document.addEventListener("keydown", (event) => {
    if (document.documentElement.dataset.keys === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable], .account")) return;
    if (event.target.closest?.("#moves") && event.key.startsWith("Arrow") && !open().length) return;
    if (key(event)) event.preventDefault();
  });

  return { keep, adopt };
})();
