// An open page of a night: the time until the bell, and the desk's buttons without a new page.
import { all, byId, formatClock, reload, root, setText } from "./dom.js";

const WHOLE_PAGE = /\/(open|finish|cancel)$/; // acts that change more than what follows by itself

// The page's clock may be wrong; the server's moment at which the page was rendered is not.
const page = document.querySelector("[data-now]");
const offset = page ? Number(page.dataset.now) - (Date.now() - performance.now()) - pageAge() : 0;

/** Return how long the page's answer had taken when the browser began to count. */
function pageAge() {
  return performance.getEntriesByType("navigation")[0]?.responseStart ?? 0;
}

export const serverNow = () => Date.now() + offset;

function countDown() {
  for (const element of all("[data-bell], [data-begins]")) {
    const { bell, begins, after } = element.dataset;
    const seconds = Math.ceil((Date.parse(bell ?? begins) - serverNow()) / 1000);
    if (begins && seconds <= 0) setText(element.closest("p"), after);
    else setText(element, formatClock(Math.max(0, seconds)).replace(".0", ""));
  }
}

countDown();
setInterval(countDown, 500);
document.addEventListener("htmx:oobAfterSwap", countDown);

// A page of the night leads its reader into their match once it begins; who comes back from it stays.
const findMatch = () => document.querySelector("[data-match]")?.dataset.match ?? "";
let followed = findMatch();

function followMatch() {
  const match = findMatch();
  if (match && match !== followed) location.assign(match);
  followed = match;
}

document.addEventListener("htmx:oobAfterSwap", followMatch);

// What a director has unfolded stays so when a part of the page changes.
let unfolded = [];
document.addEventListener("htmx:oobBeforeSwap", () => {
  unfolded = all("details[open][id]").map(({ id }) => id);
});
document.addEventListener("htmx:oobAfterSwap", () => {
  for (const id of unfolded) byId(id)?.setAttribute("open", "");
});

// The desk

const refusal = byId("night-refusal");

function say(sentence) {
  refusal.hidden = !sentence;
  setText(refusal, sentence);
}

async function send(form, submitter) {
  const body = new FormData(form);
  if (submitter?.name) body.append(submitter.name, submitter.value);
  const names = form.getAttribute("action");
  const address = submitter?.getAttribute("formaction") || names;
  const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), Accept: "application/json" };
  const response = await fetch(address, { method: "POST", headers, body: new URLSearchParams(body) });
  const answer = await response.json();
  say(response.ok ? "" : answer.error);
  if (!response.ok) refusal.scrollIntoView({ block: "nearest" });
  else if (WHOLE_PAGE.test(address)) reload();
  else if (address === names) byId("names").value = "";
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  // Without the socket the page would not show what the form has changed.
  if (form.id !== "desk" || root.dataset.live !== "on") return;
  event.preventDefault();
  send(form, submitter).catch(() => {
    root.dataset.live = "failed";
  });
});

// The step of the desk leads to a row: its first button gets the focus.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('.night-felt a[href^="#"]');
  const goal = link && byId(link.getAttribute("href").slice(1));
  if (!goal) return;
  event.preventDefault();
  goal.scrollIntoView({ block: "center" });
  (goal.querySelector(".result-versions button, .result-acts button, .result-acts a") ?? goal).focus();
});
