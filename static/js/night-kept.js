// Results that could not be sent: they stay on this phone, and are sent when there is a network.
import { byId, lasting } from "./dom.js";

const RETRY_MS = 15_000;
const KEY = "night-kept";
const notice = byId("kept");

function load() {
  try {
    const kept = JSON.parse(lasting.getItem(KEY));
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

const save = (kept) => lasting.setItem(KEY, JSON.stringify(kept));
const isSame = (one, other) => one.address === other.address && one.fields.round === other.fields.round;

/** Keep a result: `address`, `fields` of its form, `night`, and who sits at the table (`sides`, as JSON). */
export function keep(result) {
  save([...load().filter((each) => !isSame(each, result)), result]);
  setTimeout(sendKept, RETRY_MS);
}

/** Send a form. Return the response; throw without a network. */
export function post(address, fields) {
  const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), Accept: "application/json" };
  return fetch(address, { method: "POST", headers, body: new URLSearchParams(fields) });
}

/** Return the version of a kept result's table now, or null if other people sit there. */
async function findVersion({ night, fields, sides }) {
  const state = await (await fetch(`/nights/${night}/night.json`)).json();
  const table = state.tables.find(
    (each) => each.round === Number(fields.round) && each.table === Number(fields.table),
  );
  return table && JSON.stringify(table.sides) === JSON.stringify(JSON.parse(sides)) ? table.version : null;
}

/** Send one kept result. Return the sentence about it; throw where it may be sent later. */
async function sendOne(result) {
  const version = await findVersion(result);
  if (version === null) return notice?.dataset.refused ?? "";
  // Without the notice the page that is opened next says it.
  const response = await post(result.address, { ...result.fields, version, ...(notice ? {} : { page: 1 }) });
  if (response.status === 409 || response.status >= 500 || response.status === 429) throw new Error("later");
  return response.ok ? (await response.json()).sentence : (notice?.dataset.refused ?? "");
}

function say(sentence, mayRetry) {
  if (!notice) return;
  notice.hidden = !sentence;
  notice.querySelector("p").textContent = sentence;
  notice.querySelector("button").hidden = !mayRetry;
}

let isSending = false;

/** Send what is kept, the oldest first. */
export async function sendKept() {
  if (isSending) return;
  isSending = true;
  for (const result of load()) {
    try {
      const sentence = await sendOne(result);
      save(load().filter((each) => !isSame(each, result)));
      say(sentence, false);
      document.dispatchEvent(new CustomEvent("keptsent", { detail: result }));
    } catch {
      say(notice?.dataset.waits.replace("NUMBER", result.fields.table) ?? "", true);
      setTimeout(sendKept, RETRY_MS);
      break;
    }
  }
  isSending = false;
}

notice?.querySelector("button").addEventListener("click", sendKept);
addEventListener("online", sendKept);
if (load().length) sendKept();
