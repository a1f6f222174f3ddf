// Synthesized sounds: a tile's clack, a draw, a chime for points, the turn, the end.
import { byId, root } from "../dom.js";
import { countLaidTiles, isMyTurn, isOver, joinScores, tilesInHand } from "./page.js";

let context;
let noise;

// Browsers allow audio only after user activation, and log a warning for earlier attempts.
const resumeAudio = () => {
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
};
for (const name of ["pointerdown", "pointerup", "keydown"])
  addEventListener(name, resumeAudio, { capture: true });
resumeAudio();

// Of several tabs of one match, the one used last makes the sounds. Browsers have locks only on secure pages.
let isSounding = !navigator.locks;
let release = () => {};

async function takeSounds(options) {
  const held = new Promise((done) => {
    release = done;
  });
  try {
    await navigator.locks.request(`sounds ${location.pathname}`, options, () => {
      isSounding = true;
      return held;
    });
  } catch {
    isSounding = false; // another tab has taken them: wait until it closes
    takeSounds({});
  }
}

if (navigator.locks) {
  takeSounds({ steal: true });
  addEventListener("focus", () => isSounding || takeSounds({ steal: true }));
  addEventListener("pagehide", () => release());
}

const volume = () => Number(root.dataset.volume ?? 70) / 100;

function createGain(at, peak, length) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(peak * volume() + 0.0001, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(context.destination);
  return gain;
}

function tone(pitch, after, length, peak, shape = "sine") {
  const at = context.currentTime + after,
    voice = context.createOscillator();
  voice.type = shape;
  voice.frequency.value = pitch;
  voice.connect(createGain(at, peak, length));
  voice.start(at);
  voice.stop(at + length);
}

function createNoise(seconds) {
  const buffer = context.createBuffer(1, context.sampleRate * seconds, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}

function knock(pitch, after, length, peak) {
  noise ??= createNoise(0.25);
  const at = context.currentTime + after;
  const hit = context.createBufferSource();
  const band = context.createBiquadFilter();
  hit.buffer = noise;
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 2.5;
  hit.connect(band).connect(createGain(at, peak, length));
  hit.start(at, Math.random() * 0.1, length);
}

const SOUNDS = {
  clack: () => {
    knock(2400, 0, 0.05, 1.1);
    tone(620, 0, 0.06, 0.22, "triangle");
  },
  draw: () => {
    knock(1100, 0, 0.09, 0.5);
    knock(1900, 0.06, 0.05, 0.4);
  },
  chime: () => {
    tone(1046, 0, 0.35, 0.16);
    tone(1568, 0.09, 0.45, 0.14);
  },
  turn: () => {
    tone(523, 0, 0.12, 0.14, "triangle");
    tone(659, 0.1, 0.2, 0.14, "triangle");
  },
  low: () => {
    for (const after of [0, 0.16, 0.32]) tone(880, after, 0.09, 0.16, "square");
  },
  talk: () => {
    tone(784, 0, 0.09, 0.1);
    tone(1175, 0.07, 0.14, 0.08);
  },
  win: () => {
    for (const [i, pitch] of [523, 659, 784, 1046].entries()) tone(pitch, i * 0.12, 0.5, 0.13);
  },
};

function playSound(name) {
  if (isSounding && root.dataset.sound === "on" && context?.state === "running") SOUNDS[name]();
}

/** Another player asks the viewer to move. */
export const soundProd = () => playSound("turn");

/** The viewer's clock has less than a minute. */
export const soundLowTime = () => playSound("low");

/** A line of talk by another person. */
export const soundTalk = () => playSound("talk");

/** The start of a match, if the page has had user activation. */
export function soundStart() {
  context?.resume().then(() => playSound("turn"));
}

const playLater = (name, milliseconds) => setTimeout(() => playSound(name), milliseconds);

/** The sounds of the changes since the snapshot `was`, when they appear. */
export function soundNews(was, { landing, points, scores }) {
  if (isOver() && !was.over) {
    playLater(byId("over").matches(".is-won") ? "win" : "turn", points);
    return;
  }
  if (joinScores() !== was.points) playLater("chime", points);
  if (countLaidTiles() > was.laid) playLater("clack", landing);
  else if (tilesInHand().length > was.held) playSound("draw");
  if (isMyTurn() && !was.myTurn) playLater("turn", Math.max(250, scores));
}
