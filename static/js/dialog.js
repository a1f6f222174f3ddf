// Links to a page whose form opens in a dialog instead: `data-dialog` is the id of the form.

async function openInDialog(link) {
  const response = await fetch(link.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const form = page.getElementById(link.dataset.dialog);
  if (!response.ok || !form) {
    location.assign(link.href);
    return;
  }
  const dialog = Object.assign(document.createElement("dialog"), { className: "sheet" });
  const heading = Object.assign(document.createElement("h2"), { textContent: link.textContent });
  heading.id = `${form.id}-title`;
  dialog.setAttribute("aria-labelledby", heading.id);
  const close = Object.assign(document.createElement("button"), { type: "button", className: "button" });
  close.textContent = link.dataset.close;
  close.addEventListener("click", () => dialog.close());
  dialog.append(heading, document.adoptNode(form), close);
  dialog.addEventListener("close", () => dialog.remove());
  // A press beside the dialog is one on its backdrop, which is the element itself.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-dialog]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openInDialog(link).catch(() => location.assign(link.href));
});
