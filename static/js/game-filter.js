// The list of games: filtered by words and by the number of players.
import { all, byId } from "./dom.js";

const form = byId("game-filter");
const none = byId("no-game");
const simplify = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function filter() {
  const { text, seats } = Object.fromEntries(new FormData(form));
  const words = simplify(text).split(/\s+/);
  let found = 0;
  for (const section of all(".families section")) {
    const heading = simplify(section.querySelector("h2").textContent);
    let here = 0;
    for (const game of all("li", section)) {
      const said = `${heading} ${simplify(game.textContent)}`;
      const isWanted = words.every((word) => said.includes(word)) && game.dataset.players.includes(seats);
      game.hidden = !isWanted;
      here += isWanted;
    }
    section.hidden = !here;
    found += here;
  }
  none.textContent = found ? "" : none.dataset.none;
}

form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
