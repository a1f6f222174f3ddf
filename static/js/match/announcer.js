// What is said to those who listen: each move once and in order, and what a key asks for; and one's turn to
// those who look elsewhere, by the title, the icon and, where it was allowed, a notification.
import { all, byId } from "../dom.js";
import { isMyTurn, news, tilesInHand } from "./page.js";

const room = byId("play-room");
const status = byId("status");
let said = Math.max(0, ...news().map(([number]) => number));

const words = (selector) =>
  all(selector)
    .map((element) => element.textContent.trim().replace(/\s+/g, " "))
    .filter(Boolean);
const sentences = (parts) => `${parts.map((part) => part.replace(/\.$/, "")).join(". ")}.`;

const labels = (element, ...inner) =>
  [element, ...inner.map((selector) => element.querySelector(selector))]
    .map((each) => each.getAttribute("aria-label"))
    .join(", ");

export function sayNews(was) {
  const fresh = news().filter(([number]) => number > said);
  if (!fresh.length) return;
  said = fresh.at(-1)[0];
  const ending = was.over ? [] : words("#over-h");
  const then = isMyTurn() ? [room.dataset.yourTurn] : ending;
  status.textContent = sentences([...fresh.map(([, sentence]) => sentence), ...then]);
}

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
  const text = sentences(parts);
  // What stands there already would not be said again.
  if (parts.length) status.textContent = text === status.textContent ? `${text}\u00a0` : text;
}

// One's turn while one looks elsewhere

const icon = byId("favicon");
const plain = icon?.getAttribute("href");
const notify = byId("notify");

export function noticeMyTurn(was) {
  if (isMyTurn() && !was.myTurn) notice(room.dataset.yourTurn);
}

/** The same for whatever else wants the player's eyes. */
export function notice(sentence) {
  if (!document.hidden) return;
  document.title = `● ${sentence} · ${room.dataset.title}`;
  icon?.setAttribute("href", icon.dataset.turn);
  if ("Notification" in window && Notification.permission === "granted") {
    const about = { body: status.textContent, tag: location.pathname, icon: icon?.dataset.turn };
    new Notification(sentence, about);
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  document.title = room.dataset.title;
  icon?.setAttribute("href", plain);
});

if (notify && "Notification" in window && Notification.permission === "default") {
  notify.hidden = false;
  notify.addEventListener("click", async () => {
    await Notification.requestPermission();
    notify.hidden = true;
  });
}
