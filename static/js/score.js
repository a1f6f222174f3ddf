// The score sheet for a real table: adds up rounds and counts hands, and keeps the sheet in this browser.
import { all, byId, lasting } from "./dom.js";

const KEY = "score-sheet";
const MIN_ROUNDS = 8;
const sheet = byId("score");
const table = sheet.querySelector("table");
const head = sheet.querySelector(".score-head");
const hand = byId("hand");

const emptySheet = () => ({ target: 100, names: ["1", "2"], rounds: [] });

function load() {
  try {
    const stored = JSON.parse(lasting.getItem(KEY));
    return stored?.names?.length >= 2 ? stored : emptySheet();
  } catch {
    return emptySheet();
  }
}

let state = load();

const save = () => lasting.setItem(KEY, JSON.stringify(state));

const createCell = (tag, content) => {
  const element = document.createElement(tag);
  element.append(content);
  return element;
};

function createField(value, label, isNumber) {
  const input = Object.assign(document.createElement("input"), { value, autocomplete: "off" });
  if (isNumber) Object.assign(input, { type: "number", inputMode: "numeric" });
  input.setAttribute("aria-label", label);
  return input;
}

function createRow(number, points) {
  const element = document.createElement("tr");
  const title = createCell("th", String(number));
  title.scope = "row";
  const fields = state.names.map((name, side) =>
    createCell("td", createField(points[side] ?? "", `${table.dataset.round} ${number}, ${name}`, true)),
  );
  element.append(title, ...fields);
  return element;
}

function render() {
  const heads = state.names.map((name, side) => {
    const title = createCell("th", createField(name, `${table.dataset.side} ${side + 1}`, false));
    title.scope = "col";
    return title;
  });
  const [top] = table.tHead.rows;
  top.replaceChildren(top.cells[0], ...heads);
  const count = Math.max(MIN_ROUNDS, state.rounds.length + 1);
  table.tBodies[0].replaceChildren(
    ...Array.from({ length: count }, (_, at) => createRow(at + 1, state.rounds[at] ?? [])),
  );
  head.elements.sides.value = state.names.length;
  head.elements.target.value = state.target;
  showTotals();
}

function showTotals() {
  const sums = state.names.map((_, side) =>
    state.rounds.reduce((sum, points) => sum + (Number(points[side]) || 0), 0),
  );
  const [foot] = table.tFoot.rows;
  foot.replaceChildren(foot.cells[0], ...sums.map((sum) => createCell("td", String(sum))));
  const best = Math.max(...sums);
  const winners = state.names.filter((_, side) => sums[side] === best);
  const isWon = best >= state.target && winners.length === 1;
  byId("winner").textContent = isWon ? table.dataset.won.replace("%(name)s", winners[0]) : "";
}

function readFields() {
  const texts = (cells) => cells.slice(1).map((each) => each.querySelector("input").value);
  state.names = texts([...table.tHead.rows[0].cells]).map((name, side) => name.trim() || String(side + 1));
  state.rounds = [...table.tBodies[0].rows].map((each) => texts([...each.cells]));
  while (state.rounds.length && !state.rounds.at(-1).some(Boolean)) state.rounds.pop();
  state.target = Number(head.elements.target.value) || 100;
  save();
}

table.addEventListener("input", () => {
  readFields();
  showTotals();
  if (state.rounds.length === table.tBodies[0].rows.length)
    table.tBodies[0].append(createRow(state.rounds.length + 1, []));
});

head.addEventListener("input", () => {
  readFields();
  const sides = Number(head.elements.sides.value);
  state.names = Array.from({ length: sides }, (_, side) => state.names[side] ?? String(side + 1));
  save();
  render();
});
head.addEventListener("reset", (event) => {
  event.preventDefault();
  state = { ...emptySheet(), names: state.names };
  save();
  render();
});
head.addEventListener("submit", (event) => event.preventDefault());

function showPips() {
  const pips = all(":checked", hand).reduce((sum, { value }) => sum + Number(value), 0);
  byId("pips").value = String(pips);
}

hand.addEventListener("change", showPips);
hand.addEventListener("reset", () => setTimeout(showPips));
hand.addEventListener("submit", (event) => event.preventDefault());
render();
