// The minute of counting by the clock: what is left of it, and its end, which the page is asked for.
import { byId } from "./dom.js";

const left = byId("left");
const end = performance.now() + 1000 * Number(left.dataset.left);

function tick() {
  const rest = Math.max(0, Math.ceil((end - performance.now()) / 1000));
  left.textContent = `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
  if (rest > 0) setTimeout(tick, 200);
  else location.assign(location.pathname);
}

tick();
