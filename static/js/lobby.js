// The lobby: the socket is told which game is on the felt; a search in the list of games; the time left of the day.
import { all, byId } from "./dom.js";

let socket = null;

document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socket = detail.socketWrapper;
  tellChoice(); // a new connection knows only what the page was loaded with
});

function tellChoice() {
  const preset = new URLSearchParams(location.search).get("preset");
  if (preset !== null) socket?.send(`choose ${preset}`);
}

document.addEventListener("htmx:replacedInHistory", tellChoice);

// The list of games

const simplify = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function filterGames(text) {
  const words = simplify(text).split(/\s+/);
  let found = 0;
  for (const game of all(".game-list li")) {
    const said = simplify(game.textContent);
    game.hidden = !words.every((word) => said.includes(word));
    found += !game.hidden;
  }
  const none = byId("no-game");
  none.textContent = found ? "" : none.dataset.none;
}

// Delegated: choosing a game replaces the list.
document.addEventListener("input", ({ target }) => target.id === "game-search" && filterGames(target.value));

function showSearch() {
  for (const label of all(".game-search")) label.hidden = false;
}

showSearch();
document.addEventListener("htmx:afterSettle", showSearch);

// How long the day's deal is open

const MINUTE_MS = 60_000;

function showTimeLeft() {
  for (const time of all("[data-left-until]")) {
    const minutes = Math.max(0, Math.ceil((Date.parse(time.dateTime) - Date.now()) / MINUTE_MS));
    time.textContent = time.dataset.leftUntil
      .replace("{hours}", Math.floor(minutes / 60))
      .replace("{minutes}", minutes % 60);
  }
}

showTimeLeft();
setInterval(showTimeLeft, MINUTE_MS / 3);
document.addEventListener("htmx:afterSettle", showTimeLeft);
