// Lists of running matches: clocks from the server's deadlines; a filter submits on change.
import { all, byId, formatClock } from "./dom.js";

const page = document.querySelector("[data-now]");
const clockOffsetMs = Date.parse(page.dataset.now) - Date.now();

setInterval(() => {
  for (const clock of all(".clock[data-deadline]", page)) {
    const rest = (Date.parse(clock.dataset.deadline) - Date.now() - clockOffsetMs) / 1000;
    clock.lastElementChild.textContent = formatClock(
      Math.max(0, Math.min(rest, Number(clock.dataset.seconds))),
    );
    clock.classList.toggle("is-low", rest < 60);
  }
}, 250);

byId("filters")?.addEventListener("change", (event) => event.currentTarget.requestSubmit());
