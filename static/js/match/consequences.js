// What a play leads to appears after its tile has landed: the count and the ends, then the points, then the scores.
// The texts are right at once, for screen readers; their old values are drawn over them until it is their turn.
import { all, byId } from "../dom.js";

const POINTS_AFTER_MS = 150; // the landing
const SCORES_AFTER_MS = 450;
const COUNTING_MS = 500;
const SHOWN_TEXTS = "[id^=score-], #total, #sum";
const timers = [];
let flight = null; // of the tile whose landing is awaited

const transformOf = (peg) => peg.getAttribute("transform").replace(" ", "px, ").replace(")", "px)");
const listOfEnds = () => all("#board .line-end[data-end]").map((chip) => chip.outerHTML);

/** Return what is drawn before a swap: texts, pegs, ends and the number of listed moves. */
export const measureConsequences = () => ({
  texts: new Map(all(SHOWN_TEXTS).map((each) => [each.id, each.dataset.shown ?? each.textContent])),
  pegs: new Map(all("#track .track-peg").map((peg) => [peg.id, transformOf(peg)])),
  ends: new Set(listOfEnds()),
  moves: all("#moves > li").length,
});

// Let an animation begin with the flight. A busy browser starts that some frames later than an animation of the page,
// which might be over by then.
function beginWithFlight(animation) {
  if (!flight) return;
  animation.pause();
  const ifAwaited = (begin) => animation.playState !== "idle" && begin(); // an idle one would run again
  flight.ready.then(
    ({ startTime }) => ifAwaited(() => Object.assign(animation, { startTime })),
    () => ifAwaited(() => animation.play()), // the flight is cancelled
  );
}

// By the timeline of the animations: on a busy machine timers run ahead of it.
function later(milliseconds, action) {
  const timer = byId("table").animate(null, milliseconds);
  timer.onfinish = action;
  timers.push(timer);
  beginWithFlight(timer);
}

function hide(element, milliseconds) {
  if (milliseconds && element)
    beginWithFlight(element.animate([{ opacity: 0 }, { opacity: 0 }], milliseconds));
}

// A swap that removes the drawn value, or changes the text, ends the animation.
function countUp(score, from) {
  const text = score.textContent;
  const to = Number(text);
  const began = performance.now();
  const step = (now) => {
    const part = Math.max(0, (now - began) / COUNTING_MS);
    if (!("shown" in score.dataset)) return;
    if (part >= 1 || score.textContent !== text) delete score.dataset.shown;
    else {
      score.dataset.shown = Math.round(from + (to - from) * part);
      requestAnimationFrame(step);
    }
  };
  step(began);
  const frames = [{ color: "var(--brass-text)", transform: "translateY(-3px)" }, { transform: "none" }];
  score.animate(frames, { duration: 900, easing: "ease-out" });
}

function delayTexts(texts, landing) {
  for (const [id, text] of texts) {
    const element = byId(id);
    if (!element) continue;
    delete element.dataset.shown;
    if (element.textContent === text) continue;
    const isScore = id.startsWith("score-");
    if (isScore || landing) element.dataset.shown = text;
    if (isScore) later(landing + SCORES_AFTER_MS, () => countUp(element, Number(text)));
    else later(landing, () => delete element.dataset.shown);
  }
  if (!texts.has("total")) hide(byId("count"), landing);
}

function delayPegs(pegs, landing) {
  for (const peg of all("#track .track-peg")) {
    const [from, to] = [pegs.get(peg.id), transformOf(peg)];
    if (!from || from === to) continue;
    const timing = { delay: landing + SCORES_AFTER_MS, duration: COUNTING_MS, fill: "backwards" };
    beginWithFlight(peg.animate([{ transform: from }, { transform: to }], { ...timing, easing: "ease-out" }));
  }
}

/**
 * Show what has changed since `was`, `landing` milliseconds after the start of `awaited`, the flight of a tile, or from
 * now if that is null. Return in how many milliseconds the tile lands, the points and the scores appear.
 */
export function showConsequences(was, landing, awaited) {
  for (const timer of timers.splice(0)) timer.cancel();
  flight = awaited;
  const points = landing + POINTS_AFTER_MS;
  byId("table").style.setProperty("--points-after", `${points}ms`);
  delayTexts(was.texts, landing);
  delayPegs(was.pegs, landing);
  for (const chip of all("#board .line-end[data-end]"))
    if (!was.ends.has(chip.outerHTML)) hide(chip, landing);
  for (const item of all("#moves > li").slice(was.moves)) {
    hide(item, landing);
    hide(item.querySelector(".points"), points);
  }
  hide(document.querySelector("#newest .points"), points);
  const flown = flight?.currentTime ?? 0;
  return { landing: landing - flown, points: points - flown, scores: landing + SCORES_AFTER_MS - flown };
}

/** Show everything at once. */
export function showAtOnce() {
  for (const timer of timers.splice(0)) timer.cancel();
  for (const element of all("[data-shown]")) delete element.dataset.shown;
  byId("table").style.setProperty("--points-after", "0ms");
  return { landing: 0, points: 0, scores: 0 };
}
