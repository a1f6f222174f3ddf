// Announcements in live regions, each move once and in order, and notifications for a hidden page.
import { all, byId, forTab, offerNotices, root } from "../dom.js";
import { isMyTurn, isOver, isSceneOpen, latestMoves, lazy, version } from "./page.js";

const playRoom = byId("play-room");
const status = byId("status");
const urgent = byId("urgent");
const round = () => document.querySelector("#news [data-round]");
let announcedRound = Number(round()?.dataset.round);
const moveNumber = ({ id }) => Number(id.split("-")[1]);
let announcedMove = Math.max(0, ...latestMoves().map(([number]) => number));

// Without countdowns, each second of which would make a new sentence, and without the names of buttons beside the words.
function textOf(element) {
  const copy = element.cloneNode(true);
  for (const part of all("time, button", copy)) part.remove();
  return copy.textContent.trim().replace(/\s+/g, " ");
}

export const textsOf = (selector) => all(selector).map(textOf).filter(Boolean);
export const joinSentences = (parts) =>
  `${parts.map((part) => part.replace(/\.$/, "")).join(". ")}.`.replace(/([?!])\./g, "$1");

/** Announce a sentence in a live region. A repeated one is changed invisibly, so that it is announced again. */
export function announce(sentence, region = status) {
  region.textContent = sentence === region.textContent ? `${sentence}\u00a0` : sentence;
}

// With a slow voice. An assertive sentence would cut off what is read until then.
const READING_MS_PER_CHARACTER = 65;
let readUntil = 0;
let openingReadUntil = 0; // the end of a round and the start of the next one, with the hand
let saidBeforeEvents = ""; // by the same frame: to replace it at once would silence it
let isRoundUnsaid = false; // as the end of the round before is still displayed
let unsaidEnd = []; // of a round before, whose end is not displayed

function say(parts, region) {
  const other = region === urgent ? status : urgent;
  other.textContent = ""; // outdated, above all "Your turn"
  const sentence = joinSentences(parts);
  const begins = Math.max(performance.now(), region === urgent ? 0 : readUntil);
  readUntil = begins + READING_MS_PER_CHARACTER * sentence.length;
  announce(sentence, region);
  saidBeforeEvents = region === status ? sentence : "";
}

/** Return the call to the viewer's turn after the moves; with several other players it says all since their own. */
function callTurn(moves) {
  if (!isMyTurn()) return moves;
  const { since, misfit } = byId("hand").dataset;
  if (since) return [since];
  return [...moves, playRoom.dataset.yourTurn, ...(misfit ? [misfit] : [])];
}

/** Return the sentences of the moves since the last announcement, up to the one numbered `last`. */
function takeMoves(last = Number.POSITIVE_INFINITY) {
  const fresh = latestMoves().filter(([number]) => number > announcedMove && number <= last);
  announcedMove = fresh.at(-1)?.[0] ?? announcedMove;
  return fresh.map(([, sentence]) => sentence);
}

const isNewRound = () => Number(round()?.dataset.round) > announcedRound && Boolean(round().textContent);

/** Announce the moves that nobody has heard yet, and in the pause after a round nothing of the next one. */
export function announceMoves(was) {
  // A player who has moved does not wait for the rest, as one does whose only move was made automatically.
  if (was.myTurn && !was.isAutomatic) readUntil = openingReadUntil = 0;
  if (isNewRound()) announceRoundEnd();
  if (isRoundUnsaid) {
    announceRound();
    return;
  }
  const moves = takeMoves();
  if (!moves.length) return;
  if (isMyTurn()) say(callTurn(moves), performance.now() < openingReadUntil ? status : urgent);
  else say([...moves, ...(was.over ? [] : textsOf("#over-h"))], status);
}

function announceRoundEnd() {
  announcedRound = Number(round().dataset.round);
  isRoundUnsaid = true;
  const last = document.querySelector("#news [data-last]");
  const moves = takeMoves(last ? moveNumber(last) : announcedMove);
  if (isSceneOpen()) say(moves, status);
  else unsaidEnd = moves;
}

let announcesLater = 0;

/**
 * Announce a new round, unless the page still displays the end of the last one or that is still being read. Somebody who
 * has dismissed it (`isDismissed`) has heard enough of it.
 */
export function announceRound(isDismissed = false) {
  clearTimeout(announcesLater);
  if (!isRoundUnsaid || isSceneOpen()) return;
  const unread = isDismissed || document.hidden ? 0 : readUntil - performance.now();
  if (unread > 0) {
    announcesLater = setTimeout(announceRound, unread);
    return;
  }
  isRoundUnsaid = false;
  const parts = [...unsaidEnd, round().textContent, ...callTurn(takeMoves())];
  unsaidEnd = [];
  say(parts, status);
  openingReadUntil = readUntil;
}

const loaded = new Promise((done) => {
  if (document.readyState === "complete") done();
  else addEventListener("load", done, { once: true });
});

/**
 * Announce the state of the play to a player who has just come. What a page contains before it has loaded is not read,
 * so the sentence is taken out until then.
 */
export async function announceStart() {
  const isPlaying = !isOver() && document.querySelector("#hand .hand-tile");
  const text = isPlaying ? status.textContent.trim() : "";
  if (text) status.textContent = "";
  await loaded;
  const meanwhile = text ? [urgent.textContent, status.textContent] : [];
  const parts = [text, ...meanwhile, ...takeNotices()].filter(Boolean);
  if (!parts.length) return;
  say(parts, status);
  saidBeforeEvents = "";
  if (text?.includes(round().textContent)) openingReadUntil = readUntil;
}

// At a match, notices are shown in the account menu. Say each of them once in this tab.
const SAID_NOTICES_KEY = "notices";

function takeNotices() {
  const said = JSON.parse(forTab.getItem(SAID_NOTICES_KEY) ?? "[]");
  const notices = all(".account .message:not([hidden] *)").map((notice) => {
    const copy = notice.cloneNode(true);
    for (const form of all("form", copy)) form.remove();
    return { name: textOf(copy), sentence: copy.textContent.trim().replace(/\s+/g, " ") };
  });
  const fresh = notices.filter(({ name }) => !said.includes(name));
  if (fresh.length)
    forTab.setItem(SAID_NOTICES_KEY, JSON.stringify([...said, ...fresh.map(({ name }) => name)]));
  return fresh.map(({ sentence }) => sentence);
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
  ...all(".remark")
    .filter((remark) => remark.getClientRects().length)
    .map((remark) => [remark.closest(".seat").querySelector(".name :is(a, .player-name)"), remark])
    .map((parts) => parts.map(textOf).join(": ")),
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
  const fresh = [
    ...now.filter((sentence) => !announcedEvents.has(sentence)),
    ...takePresenceChanges(),
    ...takeNotices(),
  ];
  announcedEvents = new Set(now);
  const before = saidBeforeEvents;
  saidBeforeEvents = "";
  if (fresh.length) announce(joinSentences([...(before ? [before] : []), ...fresh]));
}

const noKeyboard = matchMedia("(hover: none), (pointer: coarse)");

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
  if (isMyTurn() && !was.myTurn)
    notifyIfHidden(playRoom.dataset.yourTurn, urgent.textContent || status.textContent);
}

/** Notify a player who waited for the match in another tab. */
export function notifyStart() {
  if (isMyTurn()) notifyIfHidden(playRoom.dataset.yourTurn);
  else if (version() === 0 && playRoom.dataset.begun) notifyIfHidden(playRoom.dataset.begun);
}
