// The Daily Deal: copy or share one's result.
import { offerCopying } from "./copying.js";
import { byId } from "./dom.js";

const text = byId("shared-text")?.textContent.trim();
const share = byId("share-result");

if (text) offerCopying(byId("copy-result"), byId("shared-text"), byId("copied"));

if (text && share && navigator.share) {
  share.hidden = false;
  share.addEventListener("click", () => {
    navigator.share({ text }).catch(() => {}); // closed by the reader
  });
}
