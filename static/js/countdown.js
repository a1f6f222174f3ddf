// Countdown of the counting exercise; at its end it loads the result page.
import { byId } from "./dom.js";

const display = byId("left");
const endsAt = performance.now() + 1000 * Number(display.dataset.left);

function tick() {
  const seconds = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
  display.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (seconds > 0) setTimeout(tick, 200);
  else location.assign(location.pathname);
}

tick();
