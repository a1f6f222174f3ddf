// From the last hour on, the page of a match of shared deals says when they close, in the reader's time.
import { byId, root } from "../dom.js";

const NOTICE_MS = 3_600_000;
const closing = byId("closing");
const closesAt = new Date(closing.dataset.closes);

closing.querySelector("time").textContent = closesAt.toLocaleTimeString(root.lang, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

function update() {
  closing.hidden = closesAt - Date.now() > NOTICE_MS;
}

update();
setInterval(update, 20_000);
