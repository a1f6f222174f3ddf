// A button that copies a text and says so, or selects the text where the browser refuses.

/** Return whether the browser has copied `text`. It asks the reader, who may refuse. */
async function writeToClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function selectText(source) {
  if (source.select) {
    source.focus();
    source.select();
  } else getSelection().selectAllChildren(source);
}

/** Show `button`, which copies the text of `source`, a field or an element, and reports it in `status`. */
export function offerCopying(button, source, status) {
  if (!button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const isCopied = await writeToClipboard(source.value ?? source.textContent.trim());
    if (!isCopied) selectText(source);
    status.textContent = ""; // said again at each press
    status.textContent = isCopied ? status.dataset.copied : status.dataset.refused;
  });
}
