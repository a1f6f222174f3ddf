// Applies a preference at once. htmx saves it (the form's hx-post); without scripts the button does.
import { all, byId, lasting, root } from "./dom.js";

const SHOWN = ["theme", "tiles", "pips", "felt", "volume"];
const SWITCHES = ["sound", "animation", "keys", "emotes", "remarks"];

byId("preferences")?.addEventListener("input", ({ target }) => {
  for (const look of all(".look"))
    if (look.dataset.kind !== target.name && target.name in look.dataset)
      look.dataset[target.name] = target.value;
  if (SHOWN.includes(target.name)) root.dataset[target.name] = target.value;
  if (SWITCHES.includes(target.name)) root.dataset[target.name] = target.checked ? "on" : "off";
  if (target.name === "avatar")
    for (const tile of all(".account .avatar .name-tile"))
      tile.replaceWith(target.parentElement.querySelector(".name-tile").cloneNode(true));
  if (target.name === "sound") {
    // The switch in the page header is stored in this browser and would override the preference.
    lasting.removeItem("sound");
    byId("sound")?.setAttribute("aria-pressed", String(target.checked));
  }
});
