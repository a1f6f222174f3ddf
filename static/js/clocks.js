"use strict";
// Clocks and countdowns, drawn from the server's deadlines; when one runs out the page asks what happened.
window.boneyard ??= {};
boneyard.clocks = (() => {
  let ahead = 0; // of the server's clock, in ms
  const asked = new Set();

  function face(seconds) {
    if (seconds < 10) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
    const whole = Math.floor(seconds), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
    const rest = String(whole % 60).padStart(2, "0");
    return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
  }

  const left = (moment) => (Date.parse(moment) - Date.now() + ahead) / 1000;

  function ask(moment) {
    if (asked.has(moment)) return;
    asked.add(moment);
    htmx.trigger("#sync", "due");
  }

  function tick() {
    for (const clock of document.querySelectorAll(".clock[data-deadline]")) {
      const rest = Math.max(0, Math.min(left(clock.dataset.deadline), Number(clock.dataset.seconds) + 3600));
      clock.lastElementChild.textContent = face(rest);
      clock.classList.toggle("is-low", rest < 60);
      if (rest === 0) ask(clock.dataset.deadline);
    }
    for (const time of document.querySelectorAll("time[data-until]")) {
      const rest = left(time.dataset.until);
      time.textContent = face(Math.max(0, rest)).replace(/\.\d$/, "");
      if (rest <= 0) ask(time.dataset.until);
    }
  }

  function set() {
    const sync = document.getElementById("sync");
    if (sync?.dataset.now) ahead = Date.now() - Date.parse(sync.dataset.now);
    tick();
  }

  setInterval(tick, 200);
  return { set, left };
})();
