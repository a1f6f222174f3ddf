// A list of games, in the lobby or in a form: found by words.
import { all, byId } from "./dom.js";

const simplify = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// The chosen game stays in view: it is what the Tab key reaches in a group of radio buttons.
function filterGames(text) {
  const words = simplify(text).split(/\s+/);
  let number = 0;
  for (const game of all(".game-list li")) {
    const said = simplify(game.textContent);
    const isFound = words.every((word) => said.includes(word));
    game.toggleAttribute("data-missed", !isFound);
    game.hidden = !isFound && !game.querySelector(":checked");
    number += isFound;
  }
  const found = byId("found-games");
  const { some, none } = found.dataset;
  found.textContent = text.trim() && (number ? some.replace("{n}", number) : none);
}

const isSearch = (target) => target.id === "game-search";

// Delegated: choosing a game replaces the lobby's list.
document.addEventListener("input", ({ target }) => isSearch(target) && filterGames(target.value));
// What is searched for is no field of a form, and Enter chooses the first game found.
document.addEventListener("change", (event) => isSearch(event.target) && event.stopPropagation(), true);
document.addEventListener("keydown", (event) => {
  if (!isSearch(event.target) || event.key !== "Enter") return;
  event.preventDefault();
  document.querySelector(".game-list li:not([data-missed]) :is(input, button)")?.click();
});

function showSearch() {
  for (const search of all(".game-search")) search.hidden = false;
}

showSearch();
document.addEventListener("htmx:afterSettle", showSearch);

const chosen = document.querySelector(".game-picks :checked")?.closest("li");
if (chosen) chosen.parentElement.scrollTop = chosen.offsetTop - chosen.parentElement.offsetTop;
