// Keeps the screen of a player's phone on during the match, and vibrates on their turn if they have chosen so.
import { root } from "../dom.js";
import { isMyTurn, isOver } from "./page.js";

const VIBRATION_MS = 60;
const isPlayer = Boolean(document.querySelector(".seat.mine"));
let lock = null;
let wasMyTurn = isMyTurn();

// Browsers release the lock of a hidden page.
async function keepAwake() {
  if (!isPlayer || document.hidden || isOver() || lock?.released === false) return;
  lock = await navigator.wakeLock?.request("screen").catch(() => null); // refused on a low battery
}

function handleChange() {
  if (isOver()) lock?.release();
  if (isMyTurn() && !wasMyTurn && root.dataset.vibration) navigator.vibrate?.(VIBRATION_MS);
  wasMyTurn = isMyTurn();
}

document.addEventListener("visibilitychange", keepAwake);
for (const name of ["htmx:wsAfterMessage", "htmx:afterOnLoad"]) document.addEventListener(name, handleChange);
keepAwake();
