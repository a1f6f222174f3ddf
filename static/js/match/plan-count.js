// The count after planned tiles, in games that lay several in one turn.
import { all, byId } from "../dom.js";

export const places = () => all("#board .spot");
/** Return the play of a place. */
export const playOfPlace = ({ dataset }) => `${dataset.tile}@${dataset.end}`;
export const endOf = (move) => move.at(-1);

/** Return the count after these plays, each at an end of its own; null where it is not displayed. */
export function countAfter(moves) {
  const { count, lone } = byId("hand")?.dataset ?? {};
  if (!count) return null;
  const alone = (move) => Number(places().find((place) => playOfPlace(place) === move)?.dataset.count);
  const both = ["L", "R"].every((end) => moves.some((move) => endOf(move) === end));
  const rise = moves.reduce((sum, move) => sum + alone(move) - count, 0);
  return Number(count) + rise - (both ? Number(lone) : 0);
}

let plannedCount = "";

/** Show the count after the planned plays. It is undone unless a frame has brought another turn. */
export function showCount(plan) {
  const [total, parts, before] = [byId("total"), byId("sum"), byId("hand")?.dataset.count];
  if (!total || !before) return;
  if (total.textContent === plannedCount) total.textContent = before;
  plannedCount = plan.length ? String(countAfter(plan)) : "";
  if (plannedCount) total.textContent = plannedCount;
  parts.style.visibility = plannedCount ? "hidden" : "";
}
