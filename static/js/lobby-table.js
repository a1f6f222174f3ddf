// A waiting table: the time that has passed, share and copy buttons.
import { byId, formatClock, offerNotices } from "./dom.js";
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

const share = byId("share-link");
if (share && navigator.share) {
  share.hidden = false;
  share.addEventListener("click", () => {
    // Rejected if the reader cancels.
    navigator.share({ title: share.dataset.title, url: byId("invite-link").value }).catch(() => {});
  });
}

const copy = byId("copy-link");
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(byId("invite-link").value);
    copy.querySelector("span").textContent = copy.dataset.done;
  });
}
