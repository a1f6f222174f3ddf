// The page's socket, with reconnection. A dead network closes no connection: after a silence the page sends a ping. If no
// answer comes in time, another socket is opened beside the first one, and the one that is heard first stays. While there
// is no open socket the page requests its state, and if that is not answered either, the page says so.
import { byId, reload, root } from "./dom.js";

const PING_AFTER_MS = 2000;
const HIDDEN_PING_AFTER_MS = 20_000;
const PONG_TIMEOUT_MS = 2000; // or four times the last round trip, on a slow line
const OPEN_TIMEOUT_MS = 2500; // or four round trips; doubled by each failure
const MAX_OPEN_TIMEOUT_MS = 30_000;
const SUCCESSOR_DELAY_MS = 1000; // and a round trip, after a ping
const OPENING_MS = 2000; // or 2.5 round trips: in this time a healthy line opens a socket
const PROBE_INTERVAL_MS = 2000; // or 3/4 of a round trip: four probes at a time leave connections for moves
const PROBE_TIMEOUT_MS = 2000; // or three round trips: a new connection takes two
const POLL_INTERVAL_MS = 5000; // while requests are answered and no socket opens
const LOST_NOTICE_DELAY_MS = 2500; // shorter interruptions are not shown
const RELOAD_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 3000;
const MAX_RELOAD_DELAY_MS = 9000;
const LEAVING_MS = 60_000; // in which a navigation ends or has failed
const MIN_RELOAD_INTERVAL_MS = 10_000; // a browser that keeps cookies from sockets would reload its pages for ever
const MAX_CONNECTIONS_PER_HOST = 6;
const FINAL_STATES = { 4401: "ended", 4403: "refused" }; // by close code

/** Set the connection state of the page: "on", "polled" (without a socket), "lost", "ended" or "refused". */
function setState(state) {
  root.dataset.live = state;
}

let leavingAt = Number.NEGATIVE_INFINITY;
addEventListener("beforeunload", () => {
  leavingAt = Date.now();
});

const accountOf = (page) => page.documentElement.dataset.account;

// After a sign-up or a new password this browser soon has another session: reload if it is of the same account. The
// name may be another one.
async function reloadIfLoggedIn(delay) {
  // A reload would stop a form that is on its way, such as the one that signs up, and the navigation that follows.
  do await new Promise((done) => setTimeout(done, delay));
  while (document.querySelector("form.htmx-request") || Date.now() < leavingAt + LEAVING_MS);
  const html = await fetch(location.href).then(
    (response) => response.text(),
    () => "",
  );
  if (accountOf(new DOMParser().parseFromString(html, "text/html")) === accountOf(document)) {
    reload();
  } else if (delay < MAX_RELOAD_DELAY_MS) reloadIfLoggedIn(3 * delay);
}

const [navigation] = performance.getEntriesByType("navigation");
const isJustReloaded = () => navigation?.type === "reload" && performance.now() < MIN_RELOAD_INTERVAL_MS;

/** Return the round trip that the page's own request took, in ms. */
function firstRoundTrip() {
  return navigation ? Math.max(0, navigation.responseStart - navigation.requestStart) : 0;
}

let roundTrip = firstRoundTrip(); // of the last ping

/** Return a timeout, or some round trips on a slow line. Both in ms. */
export const atLeastRoundTrips = (timeout, number = 4) => Math.max(timeout, number * roundTrip);

/** Request a small file. Return whether it was answered in time. */
function requestIcon(timeout) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), timeout);
  return fetch(byId("favicon").href, { method: "HEAD", cache: "no-store", signal: controller.signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Request the state of a page that can be polled. Return whether it was answered in time. */
function requestState(sync, timeout) {
  const source = document.createElement("i"); // one for each: htmx sends one request of an element at a time
  document.body.append(source);
  source.addEventListener("htmx:configRequest", ({ detail }) => {
    detail.timeout = timeout;
  });
  const isAnswered = new Promise((done) => {
    source.addEventListener("htmx:afterRequest", ({ detail }) => {
      source.remove();
      done(Boolean(detail.successful));
    });
  });
  const address = `${sync.getAttribute("hx-get")}?v=${sync.dataset.checksum}`;
  htmx.ajax("GET", address, { source, swap: "none" }).catch(() => {});
  return isAnswered;
}

/** Return whether the server answers. */
function probe() {
  const timeout = atLeastRoundTrips(PROBE_TIMEOUT_MS, 3);
  const sync = byId("sync");
  return sync ? requestState(sync, timeout) : requestIcon(timeout);
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
  #successor = null; // opened beside a silent socket
  #lastMessageAt;
  #request = ""; // the last one: "ping", answered by "pong", or "look", by a frame
  #requestedAt = 0; // without an answer
  #openTimeout = OPEN_TIMEOUT_MS;
  #probedAt = 0;
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
    this.#socket = this.#successor ?? this.#open();
    this.#successor = null;
  }

  #open() {
    const socket = Object.assign(new WebSocket(this.url), { startedAt: Date.now() });
    // Ignore events of a socket that has been replaced.
    const ifCurrent = (listener) => (event) => socket === this.#socket && listener(event);
    const handleOpen = ifCurrent((event) => this.#handleOpen(event));
    socket.onopen = (event) => {
      if (socket === this.#successor) this.#succeed();
      handleOpen(event);
    };
    socket.onmessage = ifCurrent((event) => this.#handleMessage(event));
    const handleClose = ifCurrent((event) => this.#handleClose(event));
    socket.onclose = (event) => {
      if (socket === this.#successor) this.#successor = null;
      handleClose(event);
    };
    return socket;
  }

  #succeed() {
    const silent = this.#socket;
    dropIdleConnections();
    this.#connect();
    silent.close();
  }

  #handleOpen(event) {
    clearTimeout(this.#lostTimer);
    this.#lostTimer = 0;
    this.#attempts = 0;
    this.#lastMessageAt = Date.now();
    this.#openTimeout = OPEN_TIMEOUT_MS;
    const { startedAt } = this.#socket;
    const duration = this.#lastMessageAt - startedAt; // at least two round trips
    roundTrip = Math.max(roundTrip, duration / 2);
    setState("on");
    this.onOpened(startedAt - duration);
    this.onopen?.(event);
  }

  #handleMessage({ data }) {
    this.#lastMessageAt = Date.now();
    this.#successor?.close();
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
      if (event.code === 4401 && !isJustReloaded()) reloadIfLoggedIn(RELOAD_DELAY_MS);
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
      const age = now - this.#socket.startedAt;
      if (age > atLeastRoundTrips(this.#openTimeout)) {
        this.#openTimeout = Math.min(2 * this.#openTimeout, MAX_OPEN_TIMEOUT_MS);
        this.#replace();
      } else if (root.dataset.live === "lost" || age > atLeastRoundTrips(OPENING_MS, 2.5)) this.#probe(now);
    } else if (this.readyState === WebSocket.OPEN) {
      const pingAfter = document.hidden ? HIDDEN_PING_AFTER_MS : PING_AFTER_MS;
      if (this.#requestedAt) {
        const silence = now - Math.max(this.#requestedAt, this.#lastMessageAt);
        if (silence > atLeastRoundTrips(PONG_TIMEOUT_MS)) this.#replace();
        else if (silence > SUCCESSOR_DELAY_MS + roundTrip) this.#successor ??= this.#open();
      } else if (now - this.#lastMessageAt > pingAfter) this.#send("ping");
    }
  }

  // A socket that began to open while the network was dead never opens. Once a request is answered the network is back.
  async #probe(now) {
    const isPolled = root.dataset.live === "polled";
    const interval = isPolled ? POLL_INTERVAL_MS : PROBE_INTERVAL_MS;
    if (now < this.#probedAt + atLeastRoundTrips(interval, 0.75)) return;
    this.#probedAt = now;
    const socket = this.#socket;
    const isAnswered = await probe();
    if (socket !== this.#socket || this.readyState !== WebSocket.CONNECTING) return;
    if (!isAnswered) {
      if (isPolled) setState("lost");
      return;
    }
    if (byId("sync") && navigator.onLine) setState("polled");
    if (Date.now() - socket.startedAt > atLeastRoundTrips(OPENING_MS, 2.5)) this.#replace();
  }

  #send(request) {
    this.#request = request;
    this.#requestedAt = Date.now();
    this.#socket.send(request);
  }

  #replace() {
    const dead = this.#socket;
    if (root.dataset.live !== "polled") setState("lost");
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
