// Lessons and puzzles: the hand, the places and the keys of the table. Without scripts their forms do the same.
import { byId } from "./dom.js";
import { fitBoard } from "./match/board.js";
import "./match/keys.js";
import { layTile } from "./match/optimistic.js";
import { labelKeys } from "./match/page.js";
import { adoptSelection } from "./match/selection.js";

byId("play").addEventListener("submit", ({ submitter }) => {
  if (submitter?.name === "move") layTile(submitter.value);
});
fitBoard();
adoptSelection();
labelKeys();
