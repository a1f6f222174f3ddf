"use strict";
// The table's page: what happens around a swap, what is said, and what happens by itself.
(() => {
  const { sounds, clocks, flight, choosing } = boneyard;
  const root = document.documentElement, room = document.getElementById("play-room");
  const status = document.getElementById("status"), refusal = document.getElementById("refusal");
  const get = (id) => document.getElementById(id);
  const version = () => Number(get("version").value);
  const myTurn = () => get("sync").dataset.turn === "mine";
  const news = () => [...document.querySelectorAll(".news [data-number]")].map((n) => [Number(n.dataset.number), n.textContent]);

  let said = Math.max(0, ...news().map(([number]) => number));
  let automatic = 0, before = null;

  // Around a swap

  function snapshot() {
    before ??= {
      version: version(),
      turn: myTurn(),
      over: Boolean(get("over")),
      laid: laid(),
      held: document.querySelectorAll("#hand .ht").length,
      points: points(),
      claim: document.querySelector("#claim input:checked")?.value,
      refusal: refusal.textContent,
      focused: document.activeElement !== document.body,
      closed: get("round-end").classList.contains("is-closed"),
    };
    flight.measure();
  }

  const laid = () => document.querySelectorAll("#board svg .laid [data-tile]").length;
  const points = () => [...document.querySelectorAll("[id^=score-]")].map((s) => s.textContent).join();

  function settle() {
    const was = before;
    before = null;
    if (!was) return;
    clocks.set();
    unread();
    zoom.again();
    const end = get("round-end");
    if (version() === was.version) {
      if (was.closed) end.classList.add("is-closed");
      if (was.focused) keepFocus();
      return;
    }
    if (refusal.textContent === was.refusal) refusal.textContent = "";
    choosing.keep();
    claimAgain(was);
    flight.play();
    say(was);
    sound(was);
    notice(was);
    byItself();
    if (was.focused) keepFocus();
  }

  // What had the focus is gone: the keyboard goes on from the hand, not from the top of the page.
  function keepFocus() {
    const shown = document.activeElement?.getClientRects().length && document.activeElement !== document.body;
    if (!shown) (document.querySelector("#over, #hand .ht") ?? get("main")).focus({ preventScroll: true });
  }

  document.addEventListener("htmx:wsBeforeMessage", snapshot);
  document.addEventListener("htmx:wsAfterMessage", settle);
  document.addEventListener("htmx:beforeOnLoad", snapshot);
  document.addEventListener("htmx:afterOnLoad", (event) => {
    settle();
    if (event.detail.elt.id === "say" && event.detail.successful) event.detail.elt.reset();
  });

  // A claim lasts as long as the turn.
  function claimAgain(was) {
    if (!was.turn || !myTurn() || !was.claim) return;
    const again = document.querySelector(`#claim input[value="${was.claim}"]`);
    if (again) again.checked = true;
  }

  // What is said: each move once, in order

  function say(was) {
    const fresh = news().filter(([number]) => number > said);
    if (!fresh.length) return;
    said = fresh.at(-1)[0];
    const then = myTurn() ? [room.dataset.yourTurn] : was.over ? [] : words("#over-h");
    status.textContent = sentences([...fresh.map(([, sentence]) => sentence), ...then]);
  }

  const sentences = (parts) => parts.map((part) => part.replace(/\.$/, "")).join(". ") + ".";

  // On request, by a key: the ends, the hand, the scores, the boneyard and hands, the latest moves

  const words = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent.trim().replace(/\s+/g, " ")).filter(Boolean);
  const labels = (element, ...inner) => [element, ...inner.map((selector) => element.querySelector(selector))].map((e) => e.getAttribute("aria-label")).join(", ");
  const asked = {
    e: () => [...words("#ends"), ...words("#count")],
    h: () => [...document.querySelectorAll("#hand .ht")].map((tile) => (tile.matches(".is-waits") ? tile.dataset.tile : `${tile.dataset.tile} ${tile.title}`)),
    s: () => [labels(document.querySelector("#race .track"))],
    b: () => [...words("#bone .vh"), ...[...document.querySelectorAll(".seat:not(.mine)")].map((seat) => labels(seat, ".backs"))],
    n: () => news().map(([, sentence]) => sentence),
  };
  document.addEventListener("keydown", (event) => {
    const answer = asked[event.key.toLowerCase?.()];
    if (!answer || root.dataset.keys === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input:not([type=radio]), textarea, select")) return;
    const parts = answer(), text = sentences(parts);
    // What stands there already would not be said again.
    if (parts.length) status.textContent = text === status.textContent ? `${text}\u00a0` : text;
  });

  // What is heard

  function sound(was) {
    if (get("over") && !was.over) return sounds("end");
    if (points() !== was.points) sounds("chime");
    if (laid() > was.laid) sounds("clack");
    else if (document.querySelectorAll("#hand .ht").length > was.held) sounds("draw");
    if (myTurn() && !was.turn) setTimeout(() => sounds("turn"), 250);
  }

  // One's turn while one looks elsewhere

  const icon = get("favicon"), plain = icon?.getAttribute("href");

  function notice(was) {
    if (!document.hidden || !myTurn() || was.turn) return;
    document.title = `● ${room.dataset.yourTurn} · ${room.dataset.title}`;
    icon?.setAttribute("href", icon.dataset.turn);
    if ("Notification" in window && Notification.permission === "granted")
      new Notification(room.dataset.yourTurn, { body: status.textContent, tag: location.pathname, icon: icon?.dataset.turn });
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    document.title = room.dataset.title;
    icon?.setAttribute("href", plain);
  });

  const notify = get("notify");
  if (notify && "Notification" in window && Notification.permission === "default") {
    notify.hidden = false;
    notify.addEventListener("click", async () => { await Notification.requestPermission(); notify.hidden = true; });
  }

  // A draw or a pass that is all there is to do, for who asked for it

  function byItself() {
    const move = get("hand").dataset.auto, now = version();
    clearTimeout(automatic);
    if (!move) return;
    automatic = setTimeout(() => {
      if (version() === now) document.querySelector(`#play button[name=move][value="${move}"]`)?.click();
    }, 700);
  }

  // Small things of the page

  get("wave")?.addEventListener("submit", () => {
    get("round-end").classList.add("is-closed");
    keepFocus();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("#resign")) { event.preventDefault(); get("foot").classList.add("is-asking"); document.querySelector(".asked .btn-danger").focus(); }
    if (event.target.closest("#keep-playing")) { event.preventDefault(); get("foot").classList.remove("is-asking"); get("resign").focus(); }
    if (event.target.closest("#play")) refusal.textContent = "";
  });

  const chat = get("chat");
  let read = lines().length;
  function lines() { return [...document.querySelectorAll("#talk-log [data-talk]")]; }
  function unread() {
    const log = get("talk-log"), fresh = lines().length - read;
    if (chat.open) { read = lines().length; if (fresh) log.scrollTop = log.scrollHeight; }
    get("unread").textContent = fresh > 0 && !chat.open ? fresh : "";
    get("unread").hidden = chat.open || fresh <= 0;
  }
  chat?.addEventListener("toggle", () => { unread(); get("talk-log").scrollTop = get("talk-log").scrollHeight; });

  // One tap on the felt shows tiles that got small as large as they should be, another the whole line again

  const zoom = (() => {
    const SMALL = 28, LARGE = 44;
    let factor = 0;
    const shown = () => [...document.querySelectorAll("#board > svg")].filter((s) => s.getClientRects().length);
    const apply = () => {
      get("board").classList.toggle("is-zoomed", factor > 0);
      for (const svg of shown()) Object.assign(svg.style, factor ? { width: `${factor * 100}%`, height: `${factor * 100}%` } : { width: "", height: "" });
    };
    document.addEventListener("click", (event) => {
      const board = event.target.closest("#board");
      if (!board || event.target.closest("button")) return;
      const svg = shown()[0], unit = 40 * (svg?.getScreenCTM()?.a ?? 1);
      if (!factor && unit >= SMALL) return;
      const box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width, y = (event.clientY - box.top) / box.height;
      factor = factor ? 0 : LARGE / unit;
      apply();
      board.scrollTo(x * board.scrollWidth - board.clientWidth / 2, y * board.scrollHeight - board.clientHeight / 2);
    });
    return { again: () => { if (factor) apply(); } };
  })();

  clocks.set();
  choosing.adopt();
  byItself();
  get("moves").scrollTop = get("moves").scrollHeight;
})();
