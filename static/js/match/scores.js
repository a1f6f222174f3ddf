// Scores that have changed are lifted, and count up for the eye; their text is right from the first moment.
import { byId } from "../dom.js";
import { loadStyle } from "./page.js";

loadStyle(byId("premove").dataset.style);

// A swap that brings another score ends it.
function count(score, from, to) {
  const began = performance.now();
  const step = (now) => {
    const part = Math.max(0, (now - began) / 500);
    if (score.textContent !== String(to) || part >= 1) delete score.dataset.shown;
    else {
      score.dataset.shown = Math.round(from + (to - from) * part);
      requestAnimationFrame(step);
    }
  };
  step(began);
}

/** From `text`, what it was. */
export function lift(score, text) {
  const frames = [{ color: "var(--brass-text)", transform: "translateY(-3px)" }, { transform: "none" }];
  score.animate(frames, { duration: 900, easing: "ease-out" });
  count(score, Number(text), Number(score.textContent));
}
