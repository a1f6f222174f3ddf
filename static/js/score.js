// The score sheet for a real table: hands add up to the end of the game. It is kept in this browser.
import { all, byId, lasting } from "./dom.js";
import { addUp, pointsOf, toNumber } from "./hands.js";
import { drawBoard } from "./peg-board.js";

const KEY = "score-sheet-2";
const form = byId("score-sheet");
const kindField = byId("score-kind");
const sidesField = byId("score-sides");
const targetField = byId("score-target");
const names = byId("score-names");
const words = form.dataset;
const hand = byId("hand");

const kinds = new Map(
  all("option", kindField).map(({ value, dataset }) => [value, JSON.parse(dataset.kind)]),
);

const emptySheet = (kind) => ({
  kind,
  sides: kinds.get(kind).sides[0],
  target: kinds.get(kind).target,
  names: [],
  hands: [],
});

function load() {
  try {
    const stored = JSON.parse(lasting.getItem(KEY));
    return kinds.get(stored.kind)?.sides.includes(stored.sides) ? stored : null;
  } catch {
    return null;
  }
}

const asked = new URLSearchParams(location.search).get("game");
const first = kinds.has(asked) ? asked : kindField.value;
let sheet = load() ?? emptySheet(first);
if (!sheet.hands.length && kinds.has(asked)) sheet = { ...emptySheet(asked), names: sheet.names };

const kindOf = () => kinds.get(sheet.kind);
const isPair = () => kindOf().inPairs.includes(sheet.sides);
const nameOf = (side) =>
  sheet.names[side]?.trim() || (isPair() ? words.pair : words.side).replace("NUMBER", side + 1);
const sides = () => Array.from({ length: sheet.sides }, (_, side) => side);
const join = (list) =>
  list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} ${words.and} ${list.at(-1)}`;

function create(tag, attributes, ...content) {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...content);
  return element;
}

/** Return who has won with these sums: nobody yet, one side, or some that share it. */
function findWinners(sums) {
  const { doubles, exact, lowest } = kindOf();
  const has = (sum) => (exact ? sum === sheet.target : sum >= sheet.target);
  const isOver = doubles === null ? sums.some(has) : sheet.hands.length > doubles;
  const best = lowest ? Math.min(...sums) : Math.max(...sums);
  const winners = sides().filter((side) => sums[side] === best);
  // Who is equal at the target plays on; the last round is the last.
  return isOver && (winners.length === 1 || doubles !== null) ? winners : [];
}

// What is shown

function showSetup() {
  const kind = kindOf();
  kindField.value = sheet.kind;
  sidesField.replaceChildren(...kind.sides.map((count) => create("option", { value: count }, String(count))));
  sidesField.value = sheet.sides;
  sidesField.disabled = kind.sides.length < 2;
  byId("score-target-field").hidden = kind.doubles !== null;
  targetField.value = sheet.target ?? "";
  byId("score-setup").disabled = sheet.hands.length > 0;
}

function showNames() {
  const fields = sides().map((side) => {
    const input = create("input", { value: sheet.names[side] ?? "", maxLength: 30, autocomplete: "off" });
    input.placeholder = nameOf(side);
    input.setAttribute("aria-label", words.name.replace("NUMBER", side + 1));
    input.dataset.side = side;
    return create("div", { className: `score-name side-${side}` }, input, create("output", {}, "0"));
  });
  names.replaceChildren(...fields);
}

function showFields() {
  const { byPips, extras } = kindOf();
  const radios = sides().map((side) =>
    create(
      "label",
      {},
      create("input", { type: "radio", name: "winner", value: side }),
      create("span", { className: "side-name" }, nameOf(side)),
    ),
  );
  byId("who-won").replaceChildren(...(byPips ? radios : []));
  const boxes = extras.map(({ name, label, points }) =>
    create(
      "label",
      { className: "check" },
      create("input", { type: "checkbox", name: "extra", value: name }),
      ` ${label} +${points}`,
    ),
  );
  byId("hand-extras").replaceChildren(...boxes);
  const fields = sides().map((side) => {
    const input = create("input", { className: "side-points", inputMode: "numeric", autocomplete: "off" });
    input.setAttribute("aria-label", words.points.replace("NAME", nameOf(side)));
    return create(
      "label",
      { className: "field" },
      create("span", { className: "side-name" }, nameOf(side)),
      input,
    );
  });
  byId("hand-points").replaceChildren(...(byPips ? [] : fields));
  byId("pips-field").hidden = !byPips;
  byId("who-won-words").hidden = !byPips;
  byId("points-words").hidden = byPips;
  byId("use-pips").hidden = false;
}

function showHands() {
  const { doubles, extras, lowest, unit } = kindOf();
  const sums = addUp(sheet.hands, extras, sheet.sides);
  const now = sums.at(-1) ?? sides().map(() => 0);
  const rows = sheet.hands.map((each, place) =>
    create("li", {}, `${pointsOf(each, extras, sheet.sides).join(" – ")}   =   ${sums[place].join(" – ")}`),
  );
  byId("hand-list").replaceChildren(...rows);
  for (const [side, output] of all("output", names).entries()) output.value = now[side];
  const number = sheet.hands.length;
  const title =
    doubles === null
      ? words.hand
      : words.double.replaceAll("DOUBLE", `${doubles - number}-${doubles - number}`);
  byId("hand-title").textContent = title.replace("NUMBER", number + 1);
  const winners = findWinners(now);
  byId("hand-add-area").hidden = winners.length > 0;
  byId("take-back").hidden = !number;
  byId("take-back").textContent = words.takeBack.replace("NUMBER", number);
  byId("sum").textContent = describe(now, winners, lowest);
  form.classList.toggle("is-over", winners.length > 0);
  showBoard(unit, sums);
}

function describe(sums, winners, lowest) {
  const all = sums.join(" – ");
  if (winners.length > 1)
    return words.shared.replace("NAMES", join(winners.map(nameOf))).replace("POINTS", all);
  if (winners.length) return words.wins.replace("NAME", nameOf(winners[0])).replace("POINTS", all);
  const last = sheet.hands.at(-1);
  const goal = [
    kindOf().doubles === null ? words.to.replace("TARGET", sheet.target) : "",
    lowest ? words.fewest : "",
  ]
    .filter(Boolean)
    .join(", ");
  if (!last) return goal;
  const points = pointsOf(last, kindOf().extras, sheet.sides);
  const gained = sides().filter((side) => points[side]);
  const said = gained.map(
    (side) => `${nameOf(side)}: ${sums[side] - points[side]} + ${points[side]} = ${sums[side]}`,
  );
  return `${said.join(" · ")}${said.length ? " · " : ""}${goal}`;
}

function showBoard(unit, sums) {
  const area = byId("peg-board");
  area.hidden = !unit || !sheet.target;
  if (area.hidden) return;
  const [before, now] = [sums.at(-2) ?? [], sums.at(-1) ?? []];
  const scores = sides().map((side) => [before[side] ?? 0, now[side] ?? 0]);
  const said = sides().map((side) =>
    words.of.replace("NAME", nameOf(side)).replace("POINTS", scores[side][1]).replace("TARGET", sheet.target),
  );
  area.replaceChildren(
    drawBoard({ target: sheet.target, unit, scores, name: words.pegs.replace("SCORES", said.join(", ")) }),
  );
}

function show() {
  showSetup();
  showNames();
  showFields();
  showHands();
  lasting.setItem(KEY, JSON.stringify(sheet));
}

// What is written

function readHand() {
  if (!kindOf().byPips) {
    const points = all(".side-points", form).map(({ value }) => toNumber(value || "0"));
    const isEmpty = all(".side-points", form).every(({ value }) => !value.trim());
    return points.includes(null) || isEmpty ? null : { points };
  }
  const winner = form.querySelector("[name=winner]:checked");
  const pips = toNumber(byId("hand-pips").value);
  const extras = all("[name=extra]:checked", form).map(({ value }) => value);
  return winner && pips !== null ? { winner: Number(winner.value), pips, extras } : null;
}

function focusFields() {
  form.querySelector("#who-won input, .side-points")?.focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const written = readHand();
  if (!written) {
    const missing = kindOf().byPips && form.querySelector("[name=winner]:checked") ? byId("hand-pips") : null;
    missing ? missing.focus() : focusFields();
    return;
  }
  sheet.hands.push(written);
  byId("hand-pips").value = "";
  show();
  if (form.classList.contains("is-over")) byId("new-sheet").focus();
  else focusFields();
});

byId("take-back").addEventListener("click", () => {
  sheet.hands.pop();
  show();
  focusFields();
});

byId("new-sheet").addEventListener("click", () => {
  sheet = { ...emptySheet(sheet.kind), sides: sheet.sides, target: sheet.target, names: sheet.names };
  show();
  kindField.focus();
});

byId("score-setup").addEventListener("change", ({ target }) => {
  if (target === kindField) sheet = { ...emptySheet(kindField.value), names: sheet.names };
  else if (target === sidesField) sheet.sides = Number(sidesField.value);
  else sheet.target = Math.max(1, Number(targetField.value) || kindOf().target);
  show();
});

names.addEventListener("input", ({ target }) => {
  sheet.names[target.dataset.side] = target.value;
  const shown = [...all("#who-won .side-name", form), ...all("#hand-points .side-name", form)];
  for (const [side, element] of shown.entries()) element.textContent = nameOf(side);
  for (const [side, input] of all(".side-points", form).entries())
    input.setAttribute("aria-label", words.points.replace("NAME", nameOf(side)));
  showHands();
  lasting.setItem(KEY, JSON.stringify(sheet));
});

// Counting a hand

const countPips = () => all(":checked", hand).reduce((sum, { value }) => sum + Number(value), 0);

function showPips() {
  byId("pips").value = String(countPips());
}

byId("use-pips").addEventListener("click", () => {
  const empty = all(".side-points", form).find(({ value }) => !value);
  const field = kindOf().byPips ? byId("hand-pips") : empty;
  if (!field) return;
  field.value = countPips();
  field.focus();
  hand.reset();
});
hand.addEventListener("change", showPips);
hand.addEventListener("reset", () => setTimeout(showPips));
hand.addEventListener("submit", (event) => event.preventDefault());

form.hidden = false;
show();
