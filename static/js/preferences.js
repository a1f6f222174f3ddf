// A preference is seen at once; htmx keeps it (the form's hx-post), the button does without scripts.
import { byId, root } from "./dom.js";

const SHOWN = ["theme", "tiles", "pips", "volume"];
const SWITCHES = ["sound", "animation", "keys"];

byId("preferences")?.addEventListener("input", ({ target }) => {
  if (SHOWN.includes(target.name)) root.dataset[target.name] = target.value;
  if (SWITCHES.includes(target.name)) root.dataset[target.name] = target.checked ? "on" : "off";
  if (target.name === "sound") {
    // The switch in the head had the last word in this browser; now this has.
    localStorage.removeItem("sound");
    byId("sound")?.setAttribute("aria-pressed", String(target.checked));
  }
});
