// Arrow keys step through the decisions of an analysis. Without scripts the links do it.
import { onKeys } from "./dom.js";

const STEPS = { ArrowLeft: "prev", ArrowRight: "next" };

onKeys((name) => {
  const link = STEPS[name] && document.querySelector(`#study [rel=${STEPS[name]}]`);
  link?.click();
  return Boolean(link);
}, "input, select, textarea, .moves");
