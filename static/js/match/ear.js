// What those who listen ask for.
import { all } from "../dom.js";
import { say, sentences, words } from "./announcer.js";
import { news, tilesInHand } from "./page.js";

const labels = (element, ...inner) =>
  [element, ...inner.map((selector) => element.querySelector(selector))]
    .map((each) => each.getAttribute("aria-label"))
    .join(", ");

const held = (tile) => (tile.matches(".is-waits") ? tile.dataset.tile : `${tile.dataset.tile} ${tile.title}`);

const ANSWERS = {
  ends: () => [...words("#ends"), ...words("#count")],
  hand: () => tilesInHand().map(held),
  scores: () => [labels(document.querySelector("#race .track"))],
  boneyard: () => [
    ...words("#bone .visually-hidden"),
    ...all(".seat:not(.mine)").map((seat) => labels(seat, ".backs")),
  ],
  news: () => news().map(([, sentence]) => sentence),
};

export function answer(about) {
  const parts = ANSWERS[about]();
  if (parts.length) say(sentences(parts));
}
