// The sounds of the table, made on the spot: a tile's clack, a draw, a chime for points, one's turn, the end.
import { root } from "../dom.js";
import { isMyTurn, isOver, points, tilesInHand, tilesLaid } from "./page.js";

let context;
let noise;

// Browsers let a page sound only after its person has touched it, or the one that led here, and complain if it tries.
const wake = () => {
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
};
for (const name of ["pointerdown", "pointerup", "keydown"]) addEventListener(name, wake, { capture: true });
wake();

const volume = () => Number(root.dataset.volume ?? 70) / 100;

function loudness(at, peak, length) {
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
  voice.connect(loudness(at, peak, length));
  voice.start(at);
  voice.stop(at + length);
}

function noiseOf(seconds) {
  const buffer = context.createBuffer(1, context.sampleRate * seconds, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}

function knock(pitch, after, length, peak) {
  noise ??= noiseOf(0.25);
  const at = context.currentTime + after;
  const hit = context.createBufferSource();
  const band = context.createBiquadFilter();
  hit.buffer = noise;
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 2.5;
  hit.connect(band).connect(loudness(at, peak, length));
  hit.start(at, Math.random() * 0.1, length);
}

const MADE = {
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
  end: () => {
    for (const [i, pitch] of [523, 659, 784, 1046].entries()) tone(pitch, i * 0.12, 0.5, 0.13);
  },
};

function sound(name) {
  if (root.dataset.sound === "on" && context?.state === "running") MADE[name]();
}

/** The others ask one to move. */
export const soundProd = () => sound("turn");

/** Less than a minute is left on one's own clock. */
export const soundLowTime = () => sound("low");

/** Somebody else has said something. */
export const soundTalk = () => sound("talk");

/** The match begins; who pressed anything while they waited for it may hear that. */
export function soundTheBeginning() {
  context?.resume().then(() => sound("turn"));
}

/** What a swap has brought, by ear. */
export function soundNews(was) {
  if (isOver() && !was.over) {
    sound("end");
    return;
  }
  if (points() !== was.points) sound("chime");
  if (tilesLaid() > was.laid) sound("clack");
  else if (tilesInHand().length > was.held) sound("draw");
  if (isMyTurn() && !was.myTurn) setTimeout(() => sound("turn"), 250);
}
