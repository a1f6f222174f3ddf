// The legal moves, as a record may list them (docs/record.md, "A move").

import { fitsAt, indexOf, joinTile, scoreOf } from "./layout.js";
import { isDouble } from "./tiles.js";

// Return the sorted moves in text of this seat, which must be on turn.
export function legalMoves(match, seat) {
  if (match.layout === null) return match.legalLeads(seat).sort();
  const moves = playLists(match, seat).map((plays) => plays.map(([tile, end]) => `${tile}@${end}`).join("+"));
  if (match.mayDraw(seat)) moves.push("draw");
  if (match.mayPass(seat)) moves.push("pass");
  return moves.sort();
}

// Return each list of plays that one turn allows: one tile or, under some rules, a tile at each of several ends.
function playLists(match, seat) {
  const { rules, layout } = match;
  const hand = match.hands[seat];
  const singlePlays = ENDS.flatMap((end) =>
    hand.filter((tile) => fitsAt(layout, tile, end)).map((tile) => [[tile, end]]),
  );
  if (!rules.many_ends && !rules.two_doubles) return singlePlays;
  const placeable = singlePlays
    .map(([play]) => play)
    .filter(([tile]) => !rules.two_doubles || isDouble(tile));
  const lists = [];
  const extend = (plays, after) => {
    if (plays.length > 1 && (!rules.many_ends || scoreOf(rules, after))) lists.push(plays);
    const last = plays.length ? indexOf(plays.at(-1)[1]) : -1;
    for (const [tile, end] of placeable)
      if (indexOf(end) > last && plays.every(([played]) => played !== tile))
        extend([...plays, [tile, end]], joinTile(after, tile, end));
  };
  extend([], layout);
  return [...singlePlays, ...lists];
}

const ENDS = [..."LRUD"];
for (let nth = 2; nth <= 13; nth++) ENDS.push(`U${nth}`, `D${nth}`);
