// The legal moves of a moment, as a record may list them (docs/record.md, "A move").

import { fitsAt, indexOf, joined, worth } from "./layout.js";
import { isDouble } from "./tiles.js";

// Sorted texts of what this seat, which is on turn, may do.
export function legal(match, seat) {
  if (match.layout === null) return match.leadable(seat).sort();
  const found = together(match, seat).map((plays) => plays.map(([tile, end]) => `${tile}@${end}`).join("+"));
  if (match.mayDraw(seat)) found.push("draw");
  if (match.mayPass(seat)) found.push("pass");
  return found.sort();
}

// Every list of plays that one turn may make: a tile, and under some rules one at each of several ends.
function together(match, seat) {
  const { rules, layout } = match;
  const hand = match.hands[seat];
  const single = ENDS.flatMap((end) =>
    hand.filter((tile) => fitsAt(layout, tile, end)).map((tile) => [[tile, end]]),
  );
  if (!rules.many_ends && !rules.two_doubles) return single;
  const fits = single.map(([play]) => play).filter(([tile]) => !rules.two_doubles || isDouble(tile));
  const lists = [];
  const goOn = (plays, after) => {
    if (plays.length > 1 && (!rules.many_ends || worth(rules, after))) lists.push(plays);
    const last = plays.length ? indexOf(plays.at(-1)[1]) : -1;
    for (const [tile, end] of fits)
      if (indexOf(end) > last && plays.every(([laid]) => laid !== tile))
        goOn([...plays, [tile, end]], joined(after, tile, end));
  };
  goOn([], layout);
  return [...single, ...lists];
}

const ENDS = [..."LRUD"];
for (let nth = 2; nth <= 13; nth++) ENDS.push(`U${nth}`, `D${nth}`);
