// A list of games, in the lobby or in a form: found by words.
import { all, byId } from "./dom.js";

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

const isSearch = (target) => target.id === "game-search";

// Delegated: choosing a game replaces the lobby's list.
document.addEventListener("input", ({ target }) => isSearch(target) && filterGames(target.value));
// What is searched for is no field of a form, and Enter chooses the first game found.
document.addEventListener("change", (event) => isSearch(event.target) && event.stopPropagation(), true);
document.addEventListener("keydown", (event) => {
  if (!isSearch(event.target) || event.key !== "Enter") return;
  event.preventDefault();
  document.querySelector(".game-list li:not([hidden]) :is(input, button)")?.click();
});

function showSearch() {
  for (const label of all(".game-search")) label.hidden = false;
}

showSearch();
document.addEventListener("htmx:afterSettle", showSearch);

const chosen = document.querySelector(".game-picks :checked")?.closest("li");
if (chosen) chosen.parentElement.scrollTop = chosen.offsetTop - chosen.parentElement.offsetTop;
