// The page's socket, with reconnection. A dead network closes no connection: after a silence the page sends a ping, and
// a socket that does not answer is replaced. While there is no open socket the page says so.
import { byId, reload, root } from "./dom.js";

const PING_AFTER_MS = 2000;
const HIDDEN_PING_AFTER_MS = 20_000;
const PONG_TIMEOUT_MS = 2000; // or four times the last round trip, on a slow line
const OPEN_TIMEOUT_MS = 2500; // or four round trips; doubled by each failure
const MAX_OPEN_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 2000; // in this time a healthy line opens a socket
const LOST_NOTICE_DELAY_MS = 2500; // shorter interruptions are not shown
const RELOAD_DELAY_MS = 1000; // a socket that is refused sooner is refused for good
const MAX_RETRY_DELAY_MS = 3000;
const MAX_RELOAD_DELAY_MS = 9000;
const MAX_CONNECTIONS_PER_HOST = 6;
const FINAL_STATES = { 4401: "ended", 4403: "refused" }; // by close code

/** Set the connection state of the page: "on", "lost", "ended" or "refused". */
function setState(state) {
  root.dataset.live = state;
}

const accountOf = (page) => page.documentElement.dataset.account;

// After a sign-up or a new password this browser soon has another session: reload if it is of the same account. The
// name may be another one.
async function reloadIfLoggedIn(delay) {
  await new Promise((done) => setTimeout(done, delay));
  const html = await fetch(location.href).then(
    (response) => response.text(),
    () => "",
  );
  if (accountOf(new DOMParser().parseFromString(html, "text/html")) === accountOf(document)) {
    reload();
  } else if (delay < MAX_RELOAD_DELAY_MS) reloadIfLoggedIn(3 * delay);
}

/** Return the round trip that the page's own request took, in ms. */
function firstRoundTrip() {
  const [page] = performance.getEntriesByType("navigation");
  return page ? Math.max(0, page.responseStart - page.requestStart) : 0;
}

let roundTrip = firstRoundTrip(); // of the last ping

/** Return a timeout, or four round trips on a slow line. Both in ms. */
export const atLeastRoundTrips = (timeout) => Math.max(timeout, 4 * roundTrip);

/** Request a small file. Return whether it was answered in time. */
function requestIcon(timeout) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), timeout);
  return fetch(byId("favicon").href, { method: "HEAD", cache: "no-store", signal: controller.signal }).then(
    () => true,
    () => false,
  );
}

// The browser's pooled connections are as dead as the socket, and the next move would use one of them. Aborting a
// request makes the browser drop its connection.
function dropIdleConnections() {
  for (let n = 0; n < MAX_CONNECTIONS_PER_HOST; n++) requestIcon(1000);
}

/**
 * A WebSocket that reconnects. On each open it calls `onOpened` with a time (`Date.now()`): requests from before it would
 * have been answered by now.
 */
export class ReconnectingSocket extends EventTarget {
  OPEN = WebSocket.OPEN;
  #socket;
  #startedAt; // of the current socket
  #lastMessageAt;
  #request = ""; // the last one: "ping", answered by "pong", or "look", by a frame
  #requestedAt = 0; // without an answer
  #openTimeout = OPEN_TIMEOUT_MS;
  #isProbing = false;
  #attempts = 0;
  #retryTimer = 0;
  #isFinal = false; // closed without reconnection
  #lostTimer = 0;

  constructor(url, onOpened) {
    super();
    this.url = url;
    this.onOpened = onOpened;
    this.#connect();
    setInterval(() => this.#checkTimeouts(), 500);
    addEventListener("offline", () => this.#isFinal || setState("lost"));
    addEventListener("online", () => this.#refresh());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.readyState !== WebSocket.CONNECTING) this.#refresh();
    });
    if (!navigator.onLine) setState("lost");
  }

  get readyState() {
    return this.#socket.readyState;
  }

  /** Send a message. It is lost unless the socket is open. */
  send(message) {
    if (this.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  close() {
    this.#socket.close(1000);
  }

  #connect() {
    clearTimeout(this.#retryTimer);
    this.#requestedAt = 0;
    this.#startedAt = Date.now();
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    // Ignore events of a socket that has been replaced.
    const ifCurrent = (listener) => (event) => socket === this.#socket && listener(event);
    socket.onopen = ifCurrent((event) => this.#handleOpen(event));
    socket.onmessage = ifCurrent((event) => this.#handleMessage(event));
    socket.onclose = ifCurrent((event) => this.#handleClose(event));
  }

  #handleOpen(event) {
    clearTimeout(this.#lostTimer);
    this.#lostTimer = 0;
    this.#attempts = 0;
    this.#lastMessageAt = Date.now();
    this.#openTimeout = OPEN_TIMEOUT_MS;
    const duration = this.#lastMessageAt - this.#startedAt; // at least two round trips
    roundTrip = Math.max(roundTrip, duration / 2);
    setState("on");
    this.onOpened(this.#startedAt - duration);
    this.onopen?.(event);
  }

  #handleMessage({ data }) {
    this.#lastMessageAt = Date.now();
    // On a slow line a frame may come between a ping and its answer.
    if (this.#requestedAt && (data === "pong") === (this.#request === "ping")) {
      roundTrip = this.#lastMessageAt - this.#requestedAt;
      this.#requestedAt = 0;
    }
    if (navigator.onLine && root.dataset.live === "lost") setState("on");
    if (data !== "pong") this.dispatchEvent(new MessageEvent("message", { data }));
  }

  #handleClose(event) {
    if (event.code in FINAL_STATES) {
      clearTimeout(this.#lostTimer);
      this.#isFinal = true;
      setState(FINAL_STATES[event.code]);
      this.onclose?.(event);
      if (event.code === 4401 && Date.now() > this.#startedAt + RELOAD_DELAY_MS)
        reloadIfLoggedIn(RELOAD_DELAY_MS);
      return;
    }
    this.#lostTimer ||= setTimeout(() => setState("lost"), LOST_NOTICE_DELAY_MS);
    const backoff = Math.random() * Math.min(MAX_RETRY_DELAY_MS, 500 * 2 ** this.#attempts);
    this.#attempts += 1;
    this.#retryTimer = setTimeout(() => this.#connect(), 200 + backoff);
  }

  #checkTimeouts() {
    const now = Date.now();
    if (this.readyState === WebSocket.CONNECTING) {
      const age = now - this.#startedAt;
      if (age > atLeastRoundTrips(this.#openTimeout)) {
        this.#openTimeout = Math.min(2 * this.#openTimeout, MAX_OPEN_TIMEOUT_MS);
        this.#replace();
      } else if (age > PROBE_TIMEOUT_MS && !this.#isProbing) this.#probe();
    } else if (this.readyState === WebSocket.OPEN) {
      const pingAfter = document.hidden ? HIDDEN_PING_AFTER_MS : PING_AFTER_MS;
      if (this.#requestedAt) {
        const silence = now - Math.max(this.#requestedAt, this.#lastMessageAt);
        if (silence > atLeastRoundTrips(PONG_TIMEOUT_MS)) this.#replace();
      } else if (now - this.#lastMessageAt > pingAfter) this.#send("ping");
    }
  }

  // A socket that began to open while the network was dead never opens. Once a request is answered the network is back.
  async #probe() {
    const socket = this.#socket;
    this.#isProbing = true;
    const isAnswered = await requestIcon(PROBE_TIMEOUT_MS);
    this.#isProbing = false;
    if (isAnswered && socket === this.#socket && this.readyState === WebSocket.CONNECTING) this.#replace();
  }

  #send(request) {
    this.#request = request;
    this.#requestedAt = Date.now();
    this.#socket.send(request);
  }

  #replace() {
    const dead = this.#socket;
    setState("lost");
    if (this.readyState === WebSocket.OPEN) dropIdleConnections();
    this.#connect();
    dead.close();
  }

  // The page is visible or online again: request the current state, over a new socket unless this one is open.
  #refresh() {
    if (this.readyState === WebSocket.OPEN) this.#send("look");
    else if (!this.#isFinal) this.#replace();
  }
}
