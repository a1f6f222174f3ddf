// Announcements in live regions, each move once and in order, and notifications for a hidden page.
import { all, byId, offerNotices, root } from "../dom.js";
import { isMyTurn, latestMoves, lazy, version } from "./page.js";

const playRoom = byId("play-room");
const status = byId("status");
const urgent = byId("urgent");
const round = () => document.querySelector("#news [data-round]");
let announcedRound = Number(round()?.dataset.round);
let announcedMove = Math.max(0, ...latestMoves().map(([number]) => number));

export const textsOf = (selector) =>
  all(selector)
    .map((element) => element.textContent.trim().replace(/\s+/g, " "))
    .filter(Boolean);
export const joinSentences = (parts) =>
  `${parts.map((part) => part.replace(/\.$/, "")).join(". ")}.`.replace(/([?!])\./g, "$1");

/** Announce a sentence in a live region. A repeated one is changed invisibly, so that it is announced again. */
export function announce(sentence, region = status) {
  region.textContent = sentence === region.textContent ? `${sentence}\u00a0` : sentence;
}

function takeNewRound() {
  const { round: number } = round().dataset;
  if (Number(number) <= announcedRound || !round().textContent) return [];
  announcedRound = Number(number);
  return [round().textContent];
}

export function announceMoves(was) {
  const unheard = latestMoves().filter(([number]) => number > announcedMove);
  if (!unheard.length) return;
  announcedMove = unheard.at(-1)[0];
  const ending = was.over ? [] : textsOf("#over-h");
  const then = isMyTurn() ? [playRoom.dataset.yourTurn] : ending;
  const parts = [...unheard.map(([, sentence]) => sentence), ...takeNewRound(), ...then];
  const [region, other] = isMyTurn() ? [urgent, status] : [status, urgent];
  other.textContent = ""; // outdated, above all "Your turn"
  announce(joinSentences(parts), region);
}

// Events beside the play: talk by others, absences and claims, rematch offers.

const myName = () => document.querySelector(".seat.mine")?.getAttribute("aria-label");
const readEvents = () => [
  ...all("#talk-log [data-talk]")
    .filter((line) => line.dataset.name !== myName())
    .map((line) => `${line.dataset.name}: ${line.lastElementChild.textContent}`),
  ...(root.dataset.emotes === "off" ? [] : all(".seat:not(.mine) .emote")).map(
    (emote) => `${emote.closest(".seat").getAttribute("aria-label")}: ${emote.getAttribute("aria-label")}`,
  ),
  ...all("#absent .away").map((away) => away.firstChild.textContent.trim()),
  ...textsOf("#absent button"),
  ...textsOf("#leaver :is(h2, p.said, button)"),
  ...textsOf(".offer"),
];
let announcedEvents = new Set(readEvents());

// Other players who look at another page of the site, by seat
const readElsewhere = () => all(".seat:not(.mine) .is-elsewhere").map((dot) => dot.closest(".seat").id);
let elsewhere = readElsewhere();

function describePresence(id) {
  const dot = byId(id)?.querySelector(".is-on, .is-elsewhere");
  return dot ? [`${byId(id).getAttribute("aria-label")}: ${dot.getAttribute("aria-label")}`] : [];
}

/** Return who has gone to another page of the site, or is back from there. */
function takePresenceChanges() {
  const before = elsewhere;
  elsewhere = readElsewhere();
  const gone = elsewhere.filter((id) => !before.includes(id));
  return [...gone, ...before.filter((id) => !elsewhere.includes(id))].flatMap(describePresence);
}

export function announceEvents() {
  const now = readEvents();
  const fresh = [...now.filter((sentence) => !announcedEvents.has(sentence)), ...takePresenceChanges()];
  announcedEvents = new Set(now);
  if (fresh.length) announce(joinSentences(fresh));
}

const noKeyboard = matchMedia("(hover: none)");

// With more ends than arrow keys these cycle (keys.js).
function keysOf(places) {
  const { chooseByTab, chooseByArrow, chooseByCycle } = playRoom.dataset;
  if (noKeyboard.matches) return "";
  if (root.dataset.keys === "off") return chooseByTab;
  return places.some(({ dataset }) => dataset.end.length > 1) ? chooseByCycle : chooseByArrow;
}

/** Announce the places of the selected tile if there are several; else clear an earlier announcement of places. */
export function announcePlaces(places) {
  const names = places.map((place) => place.getAttribute("aria-label"));
  if (names.length > 1)
    announce(`${playRoom.dataset.choosePlace} ${names.join("; ")}. ${keysOf(places)}`.trim());
  else if (status.textContent.startsWith(playRoom.dataset.choosePlace)) status.textContent = "";
}

/** Clear the live regions: after a logout they may still describe a hand. */
export function clearAnnouncements() {
  status.textContent = urgent.textContent = "";
}

export const announceLowTime = () => announce(`${playRoom.dataset.lowTime}.`, urgent);

const notices = lazy(() => import("../notices.js"));

/** Notify if the page is hidden. Otherwise the page itself shows the sentence. */
export async function notifyIfHidden(...message) {
  if (document.hidden) (await notices())?.notifyIfHidden(...message);
}

offerNotices(notices);

export function notifyMyTurn(was) {
  if (isMyTurn() && !was.myTurn) notifyIfHidden(playRoom.dataset.yourTurn, urgent.textContent);
}

/** Notify a player who waited for the match in another tab. */
export function notifyStart() {
  if (isMyTurn()) notifyIfHidden(playRoom.dataset.yourTurn);
  else if (version() === 0 && playRoom.dataset.begun) notifyIfHidden(playRoom.dataset.begun);
}
