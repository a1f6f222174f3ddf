// The page's socket, for htmx one that lasts. A network that swallows everything closes nothing: after a silence the
// page asks, and a socket that owes an answer is given up for a new one. Until that has opened the page says so.
import { byId, root } from "./dom.js";

const SILENCE = 2000; // milliseconds without a word after which the page asks
const HIDDEN_SILENCE = 20_000;
const PATIENCE = 2000; // for an answer, and four times as long as the last one took on a slow line
const OPENING = 2500; // for a new socket
const WORTH_A_WORD = 2500; // a shorter gap is not
const SETTLING = 1000; // a socket that is refused sooner is refused for good
const LONGEST_WAIT = 3000; // between two attempts
const FINAL = { 4401: "ended", 4403: "refused" };

/** "on" while the page is live, or why it is not: "lost", "ended" or "refused". */
function say(word) {
  root.dataset.live = word;
}

const nameOn = (page) => page.querySelector(".own-name")?.textContent;

// A new password gives the browser that set it another session, in a moment: whoever is still logged in there goes on.
async function goOnIfLoggedIn(wait) {
  await new Promise((done) => setTimeout(done, wait));
  const fresh = await fetch(location.href).then(
    (answer) => answer.text(),
    () => "",
  );
  if (nameOn(new DOMParser().parseFromString(fresh, "text/html")) === nameOn(document)) location.reload();
  else if (wait < LONGEST_WAIT) goOnIfLoggedIn(3 * wait);
}

// The browser keeps up to six connections to a host, now as dead as the socket, and would send the next move by one
// of them. It drops those on which a request was called off.
function dropIdleConnections() {
  for (let n = 0; n < 6; n++)
    fetch(byId("favicon").href, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(1000),
    }).catch(() => {});
}

/** Whenever it has opened it calls `opened` with the moment that socket was asked for, in ms of Date. */
export class LastingSocket extends EventTarget {
  OPEN = WebSocket.OPEN;
  #socket;
  #began; // when the present socket was asked for
  #heard; // when it was last heard
  #asked = 0; // when it was asked for a word that it still owes
  #trip = 0; // what its last answer took
  #tries = 0;
  #later = 0; // the next attempt
  #over = false; // no attempt follows
  #word = 0; // what says that the line is lost

  constructor(url, opened) {
    super();
    this.url = url;
    this.opened = opened;
    this.#open();
    setInterval(() => this.#look(), 500);
    addEventListener("offline", () => this.#over || say("lost"));
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
    if (!navigator.onLine) say("lost");
  }

  get readyState() {
    return this.#socket.readyState;
  }

  /** What is sent while it is not open is lost. */
  send(message) {
    if (this.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  close() {
    this.#socket.close(1000);
  }

  #open() {
    clearTimeout(this.#later);
    this.#asked = 0;
    this.#began = Date.now();
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    // What a socket that was given up still says is not heard.
    const whilePresent = (listen) => (event) => socket === this.#socket && listen(event);
    socket.onopen = whilePresent((event) => this.#opened(event));
    socket.onmessage = whilePresent((event) => this.#received(event));
    socket.onclose = whilePresent((event) => this.#closed(event));
  }

  #opened(event) {
    clearTimeout(this.#word);
    this.#word = 0;
    this.#tries = 0;
    this.#heard = Date.now();
    say("on");
    this.opened(this.#began);
    this.onopen?.(event);
  }

  #received({ data }) {
    this.#heard = Date.now();
    if (this.#asked) this.#trip = this.#heard - this.#asked;
    this.#asked = 0;
    if (navigator.onLine && root.dataset.live === "lost") say("on");
    if (data !== "pong") this.dispatchEvent(new MessageEvent("message", { data }));
  }

  #closed(event) {
    if (event.code in FINAL) {
      clearTimeout(this.#word);
      this.#over = true;
      say(FINAL[event.code]);
      this.onclose?.(event);
      if (event.code === 4401 && Date.now() > this.#began + SETTLING) goOnIfLoggedIn(SETTLING);
      return;
    }
    this.#word ||= setTimeout(() => say("lost"), WORTH_A_WORD);
    const wait = Math.random() * Math.min(LONGEST_WAIT, 500 * 2 ** this.#tries);
    this.#tries += 1;
    this.#later = setTimeout(() => this.#open(), 200 + wait);
  }

  #look() {
    const now = Date.now();
    if (this.readyState === WebSocket.CONNECTING) {
      if (now - this.#began > OPENING) this.#giveUp();
    } else if (this.readyState === WebSocket.OPEN) {
      if (this.#asked && now - this.#asked > Math.max(PATIENCE, 4 * this.#trip)) this.#giveUp();
      else if (!this.#asked && now - this.#heard > (document.hidden ? HIDDEN_SILENCE : SILENCE))
        this.#ask("ping");
    }
  }

  #ask(word) {
    this.#asked = Date.now();
    this.#socket.send(word);
  }

  #giveUp() {
    const dead = this.#socket;
    say("lost");
    if (this.readyState === WebSocket.OPEN) dropIdleConnections();
    this.#open();
    dead.close();
  }

  // The reader is back, or the network: the present state, by a socket that is known to be good.
  #hurry() {
    if (this.readyState === WebSocket.OPEN) this.#ask("look");
    else if (!this.#over) this.#giveUp();
  }
}
