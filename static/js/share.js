// The dialog in which a link, the result in words and its picture are copied or saved.
import { offerCopying } from "./copying.js";
import { byId } from "./dom.js";

/**
 * Open the dialog. `drawn` is an address of the picture that the page may show (no blob, says the content security
 * policy), `picture` its PNG as a blob, `name` that of its file, `words` the result.
 */
export async function openShare({ drawn, picture, name, words }) {
  if (byId("share-picture")) return; // pressed again while it was being made
  const file = new File([picture], name, { type: "image/png" });
  const dialog = byId("share-sheet").content.firstElementChild.cloneNode(true);
  const styled = loaded(dialog.querySelector("link"));
  document.body.append(dialog);
  const saved = URL.createObjectURL(file);
  byId("share-picture").src = drawn;
  Object.assign(byId("save-picture"), { href: saved, download: file.name });
  byId("share-words").value = words;
  const address = byId("share-address");
  if (address) address.value = new URL(address.value, location).href;
  offerCopying(byId("copy-address"), address, byId("copied"));
  offerCopying(byId("copy-words"), byId("share-words"), byId("copied"));
  offerSending({ title: document.title, text: words, files: [file], ...(address && { url: address.value }) });
  byId("close-share").addEventListener("click", () => dialog.close());
  // A press beside the dialog is one on its backdrop, which is the element itself.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    URL.revokeObjectURL(saved);
    byId("share")?.focus();
  });
  await styled;
  dialog.showModal();
}

/** Wait for a style sheet; one that does not come keeps nothing closed. */
const loaded = (link) =>
  new Promise((resolve) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
  });

function offerSending(shared) {
  const button = byId("share-with");
  button.hidden = !navigator.canShare?.(shared);
  button.addEventListener("click", () => navigator.share(shared).catch(() => {})); // closed by the reader
}
