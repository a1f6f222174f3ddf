// The Daily Deal: copy or share one's result.
import { byId } from "./dom.js";

const text = byId("shared-text")?.textContent.trim();
const [copy, share, copied] = ["copy-result", "share-result", "copied"].map(byId);

if (text && copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    copied.textContent = "";
    copied.textContent = copied.dataset.copied;
  });
}

if (text && share && navigator.share) {
  share.hidden = false;
  share.addEventListener("click", () => {
    navigator.share({ text }).catch(() => {}); // closed by the reader
  });
}
