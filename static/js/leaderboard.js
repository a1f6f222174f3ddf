// An open leaderboard: rows glide to their places, a change of a rating stands for a moment and is said once.
import { all, byId } from "./dom.js";

const GLIDE_MS = 420;
const GAIN_MS = 4000;
const news = byId("board-news");

const rows = () => new Map(all("#ranks tr[id]").map((row) => [row.id, row]));
const read = (row) => ({ top: row.getBoundingClientRect().top, rating: Number(row.dataset.rating) });
const isAnimated = document.documentElement.dataset.animation !== "off";
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

let before = null;

function glide(row, distance) {
  if (!distance || !isAnimated || reduced.matches) return;
  row.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], {
    duration: GLIDE_MS,
    easing: "cubic-bezier(.2, .7, .2, 1)",
  });
}

function showGain(row, change) {
  const gain = document.createElement("em");
  gain.className = change > 0 ? "gain is-up" : "gain";
  gain.textContent = `${change > 0 ? "+" : "−"}${Math.abs(change)}`;
  gain.ariaHidden = "true";
  row.querySelector(".rating").prepend(gain);
  setTimeout(() => gain.remove(), GAIN_MS);
}

const sentence = ({ name, rating, rank }) =>
  news.dataset.rose.replace("NAME", name).replace("RATING", rating).replace("RANK", rank);

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (detail.target.id === "ranks") before = new Map([...rows()].map(([id, row]) => [id, read(row)]));
});

document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (detail.target.id !== "ranks" || !before) return;
  const said = [];
  for (const [id, row] of rows()) {
    const old = before.get(id);
    if (!old) continue;
    const { top, rating } = read(row);
    glide(row, old.top - top);
    if (rating === old.rating) continue;
    showGain(row, rating - old.rating);
    said.push(sentence(row.dataset));
  }
  before = null;
  if (said.length) news.textContent = said.join(" ");
});

byId("pick-pool").addEventListener("change", ({ currentTarget }) => currentTarget.form.requestSubmit());
