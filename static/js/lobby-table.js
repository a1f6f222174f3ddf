// A waiting table: the time that has passed, a chime when somebody arrives, share and copy buttons.
import { offerCopying } from "./copying.js";
import { byId, formatClock, offerNotices, root } from "./dom.js";
import * as notices from "./notices.js";

offerNotices(async () => notices);

setInterval(() => {
  const elapsed = byId("elapsed");
  if (!elapsed) return;
  // The server's own count, which every update of the page brings, since then.
  if (elapsed.dataset.seconds !== elapsed.dataset.from) {
    elapsed.dataset.from = elapsed.dataset.seconds;
    elapsed.dataset.at = performance.now();
  }
  const seconds = Number(elapsed.dataset.from) + (performance.now() - Number(elapsed.dataset.at)) / 1000;
  if (seconds >= 10) elapsed.textContent = formatClock(seconds);
}, 500);

// How many others are on the site, which the page's updates bring

const countOthers = () => Number(document.querySelector("[data-here]")?.dataset.here ?? 0);
let others = countOthers();

document.addEventListener("htmx:oobAfterSwap", () => {
  const before = others;
  others = countOthers();
  if (others > before && root.dataset.sound === "on") chime();
});

function chime() {
  if (navigator.userActivation?.hasBeenActive === false) return; // browsers allow no audio yet
  const context = new AudioContext();
  const gain = context.createGain();
  const voice = context.createOscillator();
  gain.gain.setValueAtTime((0.2 * Number(root.dataset.volume ?? 70)) / 100, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 0.6);
  voice.frequency.value = 660;
  voice.connect(gain).connect(context.destination);
  voice.onended = () => context.close();
  voice.start();
  voice.stop(context.currentTime + 0.6);
}

const share = byId("share-link");
if (share && navigator.share) {
  share.hidden = false;
  share.addEventListener("click", () => {
    // Rejected if the reader cancels.
    navigator.share({ title: share.dataset.title, url: byId("invite-link").value }).catch(() => {});
  });
}

offerCopying(byId("copy-link"), byId("invite-link"), byId("copied"));
