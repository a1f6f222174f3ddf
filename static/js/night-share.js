// The podium of a night: its button opens the dialog to share; without the picture, the link does what links do.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("#share");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const [{ openShare }, answer] = await Promise.all([import("./share.js"), fetch(link.href)]);
    if (!answer.ok) throw new Error(answer.statusText);
    const name = `podium-${location.pathname.split("/")[2]}.png`;
    await openShare({ drawn: link.href, picture: await answer.blob(), name, words: link.dataset.words });
  } catch {
    location.assign(link.href);
  }
});
