// Selects the HTML of an embedded page when its field is focused, so that it can be copied at once.
document.addEventListener("focusin", ({ target }) => {
  if (target.id === "embed-code") target.select();
});
