// A waiting table: share and copy buttons.
import { byId, offerNotices } from "./dom.js";
import * as notices from "./notices.js";

offerNotices(async () => notices);

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
