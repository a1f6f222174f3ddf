"use strict";
// What every page needs: the socket's manners, fragments that come late, the sound switch, the account menu.
(() => {
  const root = document.documentElement;
  const SESSION_ENDED = 4401, REFUSED = 4403;
  const RETRIED_BY_HTMX = [1006, 1011, 1012, 1013];
  let lost = 0;

  htmx.config.wsReconnectDelay = (tries) => 200 + Math.random() * Math.min(8000, 500 * 2 ** tries);

  document.addEventListener("htmx:wsOpen", () => {
    clearTimeout(lost);
    lost = 0;
    root.dataset.live = "on";
  });
  document.addEventListener("htmx:wsClose", (event) => {
    const { event: { code }, socketWrapper } = event.detail;
    if (code === SESSION_ENDED) root.dataset.live = "ended";
    else if (code === REFUSED) root.dataset.live = "refused";
    else {
      // A short gap is not worth a word.
      lost ||= setTimeout(() => (root.dataset.live = "lost"), 2500);
      if (!RETRIED_BY_HTMX.includes(code)) setTimeout(() => socketWrapper.reconnect(), 500 + Math.random() * 1500);
    }
  });

  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"])
    document.addEventListener(name, () => {
      if (root.dataset.live === "lost") return;
      const before = root.dataset.live;
      root.dataset.live = "failed";
      setTimeout(() => { if (root.dataset.live === "failed") root.dataset.live = before; }, 6000);
    });

  // The answer to one's own move and the push about it race; a poll may be slower than both.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const fresh = event.detail.fragment.firstElementChild ?? event.detail.fragment;
    const shown = Number(event.detail.target.dataset.version), offered = Number(fresh.dataset?.version);
    // What is fixed follows from the version alone: the same again would only undo what is being chosen there.
    if (offered < shown || (offered === shown && "fixed" in fresh.dataset)) event.detail.shouldSwap = false;
  });

  // A page taken from the browser's memory shows an old state and has no socket.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  const sound = document.getElementById("sound");
  if (sound) {
    const show = () => sound.setAttribute("aria-pressed", String(root.dataset.sound === "on"));
    root.dataset.sound = localStorage.getItem("sound") ?? root.dataset.sound;
    sound.hidden = false;
    show();
    sound.addEventListener("click", () => {
      root.dataset.sound = root.dataset.sound === "on" ? "off" : "on";
      localStorage.setItem("sound", root.dataset.sound);
      show();
    });
  }

  const account = document.querySelector(".account");
  document.addEventListener("click", (event) => { if (account?.open && !account.contains(event.target)) account.open = false; });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !account?.open) return;
    account.open = false;
    account.querySelector("summary").focus();
  });
})();
