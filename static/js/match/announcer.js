// What is said to those who listen: each move once and in order; and one's turn to those who look elsewhere.
import { all, byId, offerNotices } from "../dom.js";
import { isMyTurn, lazy, news, version } from "./page.js";

const room = byId("play-room");
const status = byId("status");
const urgent = byId("urgent");
const round = () => document.querySelector("#news [data-round]");
let opened = Number(round().dataset.round);
let said = Math.max(0, ...news().map(([number]) => number));

export const words = (selector) =>
  all(selector)
    .map((element) => element.textContent.trim().replace(/\s+/g, " "))
    .filter(Boolean);
export const sentences = (parts) => `${parts.map((part) => part.replace(/\.$/, "")).join(". ")}.`;

/** A sentence for those who listen, again if it stands there already; one's turn does not wait for others. */
export function say(sentence, region = status) {
  region.textContent = sentence === region.textContent ? `${sentence}\u00a0` : sentence;
}

function newRound() {
  const { round: number } = round().dataset;
  if (Number(number) <= opened || !round().textContent) return [];
  opened = Number(number);
  return [round().textContent];
}

export function sayNews(was) {
  const fresh = news().filter(([number]) => number > said);
  if (!fresh.length) return;
  said = fresh.at(-1)[0];
  const ending = was.over ? [] : words("#over-h");
  const then = isMyTurn() ? [room.dataset.yourTurn] : ending;
  const parts = [...fresh.map(([, sentence]) => sentence), ...newRound(), ...then];
  const [region, other] = isMyTurn() ? [urgent, status] : [status, urgent];
  other.textContent = ""; // what stands there is over, above all that it was one's turn
  say(sentences(parts), region);
}

// What happens beside the play: talk by others, who is away and what may be taken, a rematch offered.

const myName = () => document.querySelector(".seat.mine")?.getAttribute("aria-label");
const beside = () => [
  ...all("#talk-log [data-talk]")
    .filter((line) => line.dataset.name !== myName())
    .map((line) => `${line.dataset.name}: ${line.lastElementChild.textContent}`),
  ...all("#absent .away").map((away) => away.firstChild.textContent.trim()),
  ...words("#absent button"),
  ...words("#leaver :is(h2, p.said, button)"),
  ...words(".offer"),
];
let known = new Set(beside());

export function sayBeside() {
  const now = beside();
  const fresh = now.filter((sentence) => !known.has(sentence));
  known = new Set(now);
  if (fresh.length) say(sentences(fresh));
}

/** Where the chosen tile may lie, if there is a choice; of a choice that is over nothing stands to be read. */
export function sayPlaces(places) {
  const names = places.map((place) => place.getAttribute("aria-label"));
  if (names.length > 1) say(`${room.dataset.choosePlace} ${names.join("; ")}.`);
  else if (status.textContent.startsWith(room.dataset.choosePlace)) status.textContent = "";
}

/** What was said last may have been of a hand that is nobody's here any more. */
export function unsayAll() {
  status.textContent = urgent.textContent = "";
}

export const sayLowTime = () => say(`${room.dataset.lowTime}.`, urgent);

const notices = lazy(() => import("../notices.js"));

/** A sentence for whoever looks elsewhere; on the page it needs no script. */
export async function elsewhere(...said) {
  if (document.hidden) (await notices())?.notifyIfHidden(...said);
}

offerNotices(notices);

export function noticeMyTurn(was) {
  if (isMyTurn() && !was.myTurn) elsewhere(room.dataset.yourTurn, urgent.textContent);
}

/** To who waited for the match in another tab. */
export function noticeTheBeginning() {
  if (isMyTurn()) elsewhere(room.dataset.yourTurn);
  else if (version() === 0 && room.dataset.begun) elsewhere(room.dataset.begun);
}
