// The reader's part of a shuffle (docs/record.md, "Commit, then reveal"): in the forms by which they sit down, and on
// every page while they wait at a table.
import { all, byId, root } from "./dom.js";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const MAX_TYPED_CHARACTERS = 48;
const RANDOM_CHARACTERS = 16; // behind what the reader types; 82 bits
const MAX_AGE_MS = 24 * 3600 * 1000; // of a stored nonce
const RETRY_DELAY_MS = 1000;
const SEATING_PATHS = /^\/(play\/|tables\/new$|tables\/\w+\/(sit|rematch)$|players\/[^/]+\/challenge$)/;

// Where the browser denies storage, reloads of the page itself still find its nonces.
const inHistory = {
  keys: () => Object.keys(history.state ?? {}),
  getItem: (key) => history.state?.[key] ?? null,
  setItem: (key, value) => history.replaceState({ ...history.state, [key]: value }, ""),
  removeItem: (key) => history.replaceState({ ...history.state, [key]: undefined }, ""),
};

function openStore() {
  try {
    const storage = localStorage;
    return {
      keys: () => Object.keys(storage),
      getItem: (key) => storage.getItem(key),
      setItem: (key, value) => storage.setItem(key, value),
      removeItem: (key) => storage.removeItem(key),
    };
  } catch {
    return inHistory;
  }
}

const store = openStore();
const read = (key) => store.getItem(key)?.split(" ")[1] ?? null;
const write = (key, value) => store.setItem(key, `${Date.now()} ${value}`);

for (const key of store.keys())
  if (/^(nonce|commitment):/.test(key) && Date.now() - Number.parseInt(store.getItem(key), 10) > MAX_AGE_MS)
    store.removeItem(key);

function randomCharacters() {
  // 252 is the largest multiple of 36 in a byte: larger bytes would favour the first characters.
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(64))).filter((byte) => byte < 252);
  return bytes
    .slice(0, RANDOM_CHARACTERS)
    .map((byte) => ALPHABET[byte % 36])
    .join("");
}

/** Return a nonce and the commitment to it; both empty where the browser cannot hash, as without HTTPS. */
async function createNonce(typed = "") {
  if (!crypto.subtle) return { nonce: "", commitment: "" };
  const nonce = typed.slice(0, MAX_TYPED_CHARACTERS) + randomCharacters();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`nonce:${nonce}`));
  const commitment = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return { nonce, commitment };
}

// Nonces are stored by table, seal and commitment: whichever of two tabs committed last, both find its nonce. Those of
// forms wait without a table, and are bound to the first seal that their table shows.
const nonceKey = ({ table, seal }, commitment) => `nonce:${table}:${seal}:${commitment}`;
const pendingKey = (commitment) => `nonce:::${commitment}`;
const confirmedKey = ({ table, seal }) => `commitment:${table}:${seal}`;

function findNonce(state, commitment) {
  const nonce = read(nonceKey(state, commitment));
  const pending = nonce === null ? read(pendingKey(commitment)) : null;
  if (pending === null) return nonce;
  write(nonceKey(state, commitment), pending);
  store.removeItem(pendingKey(commitment));
  return pending;
}

/** Send a form. Return the status and, if it was accepted, the table's new state; null if it should be sent again. */
async function post({ table }, path, fields) {
  const headers = { ...JSON.parse(document.body.getAttribute("hx-headers")), Accept: "application/json" };
  try {
    const body = new URLSearchParams(fields);
    const response = await fetch(`/tables/${table}/${path}`, { method: "POST", headers, body });
    if (response.status >= 500) return null;
    return response.ok ? await response.json() : {};
  } catch {
    return null;
  }
}

const committed = new Set(); // tables and seals to which this page has sent a commitment
const revealed = new Set(); // commitments whose nonces this page has sent
const idOf = ({ table, seal }) => `${table}:${seal}`;

async function commit(state, typed) {
  if (typed === undefined) {
    if (state.commitment && findNonce(state, state.commitment) !== null) {
      write(confirmedKey(state), state.commitment);
      return null;
    }
    // Replace the commitment of another device once: it may be gone, or its page may be open as well.
    if (committed.has(idOf(state))) return null;
  }
  committed.add(idOf(state));
  const { nonce, commitment } = await createNonce(typed);
  if (commitment) write(nonceKey(state, commitment), nonce);
  const answer = await post(state, "commit", { commitment });
  if (answer === null) {
    committed.delete(idOf(state));
    setTimeout(advanceAll, RETRY_DELAY_MS);
  } else if (answer.table && commitment) write(confirmedKey(state), commitment);
  return answer;
}

/** Warn unless nothing in the fixed list contradicts what this browser knows. */
function warnIfChanged(state, own) {
  const isMissing = !state.by_days && store.getItem(confirmedKey(state)) !== null;
  const isOtherSeal = own && store.keys().some((key) => key.startsWith(`commitment:${state.table}:`));
  const sentence = document.querySelector("[data-warning]")?.dataset.warning;
  if (!(isMissing || isOtherSeal) || byId("shuffle-warning") || !sentence) return;
  const warning = Object.assign(document.createElement("p"), {
    id: "shuffle-warning",
    textContent: sentence,
  });
  warning.className = "message error";
  byId("messages").append(warning);
}

async function reveal(state) {
  const own = state.commitments[state.seat];
  if (state.revealed || revealed.has(own)) return null;
  const nonce = own && findNonce(state, own);
  if (!nonce) {
    warnIfChanged(state, own);
    return null;
  }
  revealed.add(own);
  const answer = await post(state, "nonce", { nonce });
  if (answer === null) {
    revealed.delete(own);
    setTimeout(advanceAll, RETRY_DELAY_MS);
  }
  return answer;
}

const busy = new Set();
const queued = new Map(); // by table and seal: the arguments of the last call while that table was busy

async function advance(state, typed) {
  const id = idOf(state);
  if (state.status !== "open") return;
  if (busy.has(id)) {
    queued.set(id, [state, typed ?? queued.get(id)?.[1]]);
    return;
  }
  busy.add(id);
  const answer = state.commitments ? await reveal(state) : await commit(state, typed);
  busy.delete(id);
  const next = queued.get(id);
  queued.delete(id);
  // If the socket is open, its next frame leads this page to the match; a second navigation would abort the first.
  if (answer?.status === "started" && location.pathname === `/tables/${state.table}/`) {
    if (root.dataset.live !== "on") location.assign(`/games/${state.table}/`);
  } else if (next) advance(answer?.table ? answer : next[0], next[1]);
  else if (answer?.table) advance(answer);
}

/** Commit or reveal wherever the page shows that it is due. */
export function advanceAll() {
  for (const element of all("[data-shuffle]")) advance(JSON.parse(element.dataset.shuffle));
}

// Hashing is asynchronous, but a form's fields are read when it is submitted: prepare the next commitment ahead.
let next = null;
let preparation = Promise.resolve();

function prepareNext() {
  next = null;
  preparation = createNonce().then((created) => {
    next = created;
  });
}

const isPrepared = store !== inHistory; // otherwise the table's page commits
if (isPrepared) prepareNext();

function addCommitment(form) {
  const field =
    form.elements.commitment ??
    form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name: "commitment" }));
  field.value = "";
  if (!next?.commitment) return;
  try {
    write(pendingKey(next.commitment), next.nonce);
  } catch {
    return; // the storage is full: without its nonce a commitment would cost the seat
  }
  field.value = next.commitment;
  prepareNext();
}

const held = new Set(); // forms that were submitted before their commitment was ready

/** Add a commitment to a form by which the reader sits down; a form that is too early is submitted again, once. */
function prepareForm(event) {
  const { target: form, submitter } = event;
  if (!isPrepared || next !== null) {
    addCommitment(form);
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (held.has(form)) return;
  held.add(form);
  preparation.then(() => {
    held.delete(form);
    form.requestSubmit(submitter);
  });
}

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const action = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
    if (SEATING_PATHS.test(new URL(action, location).pathname)) prepareForm(event);
    if (form.id !== "nonce-form") return;
    event.preventDefault();
    const state = JSON.parse(document.querySelector("#shuffle [data-shuffle]").dataset.shuffle);
    if (!state.commitments) advance(state, form.elements.nonce.value.replace(/[^0-9a-z]/g, ""));
    form.elements.nonce.value = "";
  },
  true,
);
