// A board with two pegs for each side, as in cribbage: streets of thirty holes in fives, there and back.
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const STREET = 30;
const GROUP = 5;
const STEP = 14;
const GAP = 8; // between groups of five
const LANE = 16;
const STREET_GAP = 12;
const MARGIN = 22;
const WIDTH = 2 * MARGIN + STREET * STEP + (STREET / GAP) * GAP;

function create(name, attributes, ...content) {
  const element = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

/** Return where hole `number` (0: before the first) of a side is; every second street runs back. */
function place(number, side, sides) {
  const hole = Math.max(number - 1, 0);
  const street = Math.floor(hole / STREET);
  const along = hole % STREET;
  const offset = along * STEP + Math.floor(along / GROUP) * GAP + (number ? 0 : -STEP);
  const x = MARGIN + STEP / 2 + offset;
  return [street % 2 ? WIDTH - x : x, 20 + street * (sides * LANE + STREET_GAP) + side * LANE];
}

/** Return the board as an SVG element: `scores` are `[before, now]` by side, in points; `name` says it by ear. */
export function drawBoard({ target, unit, scores, name }) {
  const holes = Math.ceil(target / unit);
  const sides = scores.length;
  const streets = Math.ceil(holes / STREET);
  const height = 20 + streets * (sides * LANE + STREET_GAP);
  const drawn = scores.flatMap((_, side) => {
    const centres = Array.from({ length: holes + 1 }, (_, number) => place(number, side, sides));
    return centres.map(([x, y], number) =>
      create("circle", { cx: x, cy: y, r: 2.4, class: number === holes ? "peg-goal" : "peg-hole" }),
    );
  });
  const pegs = scores.flatMap((each, side) =>
    each.map((points, order) => {
      const reached = Math.min(holes, Math.max(0, Math.floor(points / unit)));
      const [x, y] = place(reached, side, sides);
      const shape = side % 2 ? { x: x - 5, y: y - 5, width: 10, height: 10 } : { cx: x, cy: y, r: 5.5 };
      return create(side % 2 ? "rect" : "circle", {
        ...shape,
        class: `peg-pin side-${side} is-${order ? "now" : "before"}`,
      });
    }),
  );
  const box = { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": name };
  return create("svg", box, ...drawn, ...pegs);
}
