// Arrow keys, Home and End step through a replay; without a script the links do.
(() => {
  const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .moves")) return;
    const link = KEYS[event.key] && document.querySelector(`[data-step="${KEYS[event.key]}"]`);
    if (!link || document.documentElement.dataset.keys === "off") return;
    event.preventDefault();
    link.click();
  });
  document.querySelector(".is-now")?.scrollIntoView({ block: "nearest" });
})();
