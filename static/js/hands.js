// What is written on a score sheet: hands, as `{points}` by side or as `{winner, pips, extras}`, and their sums.

/** Return the whole number that a text is, or null. */
export const toNumber = (text) =>
  /^[-−]?\d+$/.test(text.trim()) ? Number(text.trim().replace("−", "-")) : null;

/** Return what a hand gives each of so many sides; `extras` is a list of `{name, points}`. */
export function pointsOf(hand, extras, sides) {
  if (hand.points) return hand.points;
  const named = extras.filter(({ name }) => hand.extras.includes(name));
  const gained = named.reduce((sum, { points }) => sum + points, hand.pips);
  return Array.from({ length: sides }, (_, side) => (side === hand.winner ? gained : 0));
}

/** Return the sums of the sides after each hand. */
export function addUp(hands, extras, sides) {
  let sums = Array(sides).fill(0);
  return hands.map((hand) => {
    const points = pointsOf(hand, extras, sides);
    sums = sums.map((sum, side) => sum + points[side]);
    return sums;
  });
}
