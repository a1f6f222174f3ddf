// A waiting table: submits random characters for the shuffle once the seal is shown; share and copy buttons.
import { byId, offerNotices } from "./dom.js";
import * as notices from "./notices.js";

offerNotices(async () => notices);

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const TYPING_DELAY_MS = 2500; // time to type characters of one's own
let isSubmitted = false;

function randomCharacters() {
  const bytes = crypto.getRandomValues(new Uint8Array(64));
  // 252 is the largest multiple of 36 in a byte: larger bytes would favour the first characters.
  const unbiased = Array.from(bytes).filter((byte) => byte < 252);
  return unbiased
    .slice(0, 32)
    .map((byte) => ALPHABET[byte % 36])
    .join("");
}

function submitNonce() {
  const waiting = byId("waiting");
  const form = byId("nonce-form");
  if (!waiting?.hasAttribute("data-needs-nonce") || !form?.elements.nonce || isSubmitted) return;
  if (!byId("seal")?.textContent) return;
  const typing = form.contains(document.activeElement) || form.elements.nonce.value;
  if (typing && !waiting.hasAttribute("data-full")) return;
  isSubmitted = true;
  if (!/^[0-9a-z]+$/.test(form.elements.nonce.value)) form.elements.nonce.value = randomCharacters();
  form.requestSubmit();
}

function submitNonceIfFull() {
  if (document.querySelector("#waiting[data-full]")) submitNonce();
}

document.body.addEventListener("htmx:wsAfterMessage", submitNonceIfFull);
for (const name of ["htmx:sendError", "htmx:sendAbort", "htmx:timeout"])
  document.body.addEventListener(name, () => {
    isSubmitted = false;
  });
// The form comes with the answer to sitting down.
document.body.addEventListener("htmx:afterRequest", () => {
  submitNonceIfFull();
  setTimeout(submitNonce, TYPING_DELAY_MS);
});
submitNonceIfFull();
setTimeout(submitNonce, TYPING_DELAY_MS);

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
