// Steps through an embedded replay without loading pages, which its links do without scripts.
const byId = (id) => document.getElementById(id);
const board = byId("board");
const last = Number(board.dataset.last);
let number = Number(board.dataset.number);
let frames = null; // all positions, loaded at the first step

const STEPS = {
  first: () => 0,
  prev: () => Math.max(0, number - 1),
  next: () => Math.min(last, number + 1),
  last: () => last,
};
const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

async function loadFrames() {
  frames ??= fetch(board.dataset.frames, { credentials: "omit" }).then(async (response) => {
    if (!response.ok) throw new Error(response.status);
    return (await response.json()).frames;
  });
  return frames;
}

async function go(step) {
  const frame = (await loadFrames())[STEPS[step]()];
  number = STEPS[step]();
  // wide and tall; the style sheet shows one
  const pictures = new DOMParser().parseFromString(frame.board, "text/html").body.children;
  board.replaceChildren(...pictures);
  for (const name of ["words", "sentence", "scores"]) byId(name).textContent = frame[name];
  byId("number").textContent = number;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-step]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(link.dataset.step).catch(() => location.assign(link.href));
});
document.addEventListener("keydown", (event) => {
  if (!KEYS[event.key]) return;
  event.preventDefault();
  document.querySelector(`[data-step="${KEYS[event.key]}"]`).click();
});
