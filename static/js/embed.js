// For pages of other sites, at /embed.js: gives each frame of this site the height of what is in it.
(() => {
  const MAX_HEIGHT = 2000; // px
  const { origin } = new URL(document.currentScript.src);
  const findFrames = () =>
    [...document.querySelectorAll("iframe")].filter(({ src }) => src.startsWith(`${origin}/embed/`));
  const ask = ({ contentWindow }) => contentWindow?.postMessage({ type: "boneyard:ask" }, origin);

  addEventListener("message", ({ data, origin: from, source }) => {
    const height = Math.min(Number(data?.height), MAX_HEIGHT);
    if (from !== origin || data?.type !== "boneyard:height" || !(height > 0)) return;
    for (const frame of findFrames())
      if (frame.contentWindow === source)
        Object.assign(frame.style, { height: `${height}px`, minHeight: "0", aspectRatio: "auto" });
  });

  function start() {
    for (const frame of findFrames()) {
      frame.addEventListener("load", () => ask(frame)); // also after a step inside it
      ask(frame);
    }
  }
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})();
