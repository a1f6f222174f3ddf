// Answers to the queries of screen-reader users, by key or button.
import { all } from "../dom.js";
import { announce, joinSentences, textsOf } from "./announcer.js";
import { latestMoves, tilesInHand } from "./page.js";

const labels = (element, ...inner) =>
  [element, ...inner.map((selector) => element.querySelector(selector))]
    .map((each) => each.getAttribute("aria-label"))
    .join(", ");

const describeTile = (tile) =>
  tile.matches(".is-waits") ? tile.dataset.tile : `${tile.dataset.tile} ${tile.title}`;

const ANSWERS = {
  ends: () => [...textsOf("#words-nothing"), ...textsOf("#ends"), ...textsOf("#count")],
  hand: () => tilesInHand().map(describeTile),
  scores: () => textsOf("#scores"),
  boneyard: () => [
    ...textsOf("#bone .visually-hidden"),
    ...all(".seat:not(.mine)").map((seat) => labels(seat, ".backs")),
  ],
  news: () => latestMoves().map(([, sentence]) => sentence),
};

export function answerQuery(about) {
  let parts = ANSWERS[about]();
  if (about === "news" && !parts.length) parts = textsOf("#opening"); // nobody has moved yet
  if (parts.length) announce(joinSentences(parts));
}
