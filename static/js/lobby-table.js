// A waiting table: once the seal is shown, this browser adds its own random characters to the shuffle.
import { byId, offerNotices } from "./dom.js";
import * as notices from "./notices.js";

offerNotices(async () => notices);

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const TIME_TO_TYPE = 2500; // milliseconds, for those who want to add characters of their own
let sent = false;

function characters() {
  const bytes = crypto.getRandomValues(new Uint8Array(64));
  // 252 is the largest multiple of 36 in a byte: what lies above would favour the first characters.
  const even = Array.from(bytes).filter((byte) => byte < 252);
  return even
    .slice(0, 32)
    .map((byte) => ALPHABET[byte % 36])
    .join("");
}

function give() {
  const waiting = byId("waiting");
  const form = byId("nonce-form");
  if (!waiting?.hasAttribute("data-needs-nonce") || !form?.elements.nonce || sent) return;
  if (!byId("seal")?.textContent) return;
  const typing = form.contains(document.activeElement) || form.elements.nonce.value;
  if (typing && !waiting.hasAttribute("data-full")) return;
  sent = true;
  if (!/^[0-9a-z]+$/.test(form.elements.nonce.value)) form.elements.nonce.value = characters();
  form.requestSubmit();
}

function giveIfFull() {
  if (document.querySelector("#waiting[data-full]")) give();
}

document.body.addEventListener("htmx:wsAfterMessage", giveIfFull);
for (const name of ["htmx:sendError", "htmx:sendAbort", "htmx:timeout"])
  document.body.addEventListener(name, () => {
    sent = false;
  });
// Those who have just sat down have their form only now.
document.body.addEventListener("htmx:afterRequest", () => {
  giveIfFull();
  setTimeout(give, TIME_TO_TYPE);
});
giveIfFull();
setTimeout(give, TIME_TO_TYPE);

const share = byId("share-link");
if (share && navigator.share) {
  share.hidden = false;
  share.addEventListener("click", () => {
    // Whoever changes their mind has shared nothing, and nothing is amiss.
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
