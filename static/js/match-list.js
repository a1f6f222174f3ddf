// Matches watched from a list: clocks, drawn from the server's deadlines; what is asked for is shown at once.
import { all, byId, face } from "./dom.js";

const page = document.querySelector("[data-now]");
const ahead = Date.parse(page.dataset.now) - Date.now(); // of the server's clock, in ms

setInterval(() => {
  for (const clock of all(".clock[data-deadline]", page)) {
    const rest = (Date.parse(clock.dataset.deadline) - Date.now() - ahead) / 1000;
    clock.lastElementChild.textContent = face(Math.max(0, Math.min(rest, Number(clock.dataset.seconds))));
    clock.classList.toggle("is-low", rest < 60);
  }
}, 250);

byId("filters")?.addEventListener("change", (event) => event.currentTarget.requestSubmit());
