// Keeps the screen on while a player's match goes on. Browsers release the lock of a hidden page.
import { isOver } from "./page.js";

let lock = null;

async function keepAwake() {
  if (document.hidden || isOver() || lock?.released === false) return;
  lock = await navigator.wakeLock.request("screen").catch(() => null); // refused on a low battery
}

function releaseAtEnd() {
  if (isOver()) lock?.release();
}

document.addEventListener("visibilitychange", keepAwake);
document.addEventListener("htmx:oobAfterSwap", releaseAtEnd);
keepAwake();
