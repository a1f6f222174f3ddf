// Tells the page around an embedded one how high that is, once it asks: /embed.js does.
const main = document.querySelector("main");

const tell = () =>
  parent.postMessage(
    { type: "boneyard:height", height: Math.ceil(main.getBoundingClientRect().height) },
    "*", // the height of a public page is no secret
  );

addEventListener("message", ({ data, source }) => {
  if (source !== parent || parent === window || data?.type !== "boneyard:ask") return;
  document.body.classList.add("is-sized"); // its height does not follow the frame's any more
  new ResizeObserver(tell).observe(main);
});
