// Animation of changed scores. The drawn number counts up; the text is correct at once.
import { byId } from "../dom.js";
import { loadStyle } from "./page.js";

loadStyle(byId("premove").dataset.style);

// Another change of the score ends the animation.
function animateCount(score, from, to) {
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

/** Animate a score from its previous text. */
export function animateScore(score, text) {
  const frames = [{ color: "var(--brass-text)", transform: "translateY(-3px)" }, { transform: "none" }];
  score.animate(frames, { duration: 900, easing: "ease-out" });
  animateCount(score, Number(text), Number(score.textContent));
}
