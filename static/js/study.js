// The decisions of an analysis by the arrow keys; the links do it without a script.
import { onKeys } from "./dom.js";

const STEPS = { ArrowLeft: "prev", ArrowRight: "next" };

onKeys((name) => {
  const link = STEPS[name] && document.querySelector(`#study [rel=${STEPS[name]}]`);
  link?.click();
  return Boolean(link);
}, "input, select, textarea, .moves");
