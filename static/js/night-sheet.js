// The sheet of a table: hands that add up to the round's points, and a result that waits for a network.
import { all, byId, lasting } from "./dom.js";
import { addUp, pointsOf, toNumber } from "./hands.js";
import { keep, post } from "./night-kept.js";

const form = byId("sheet");
const area = byId("hands");
const list = byId("hand-list");
const takeBack = byId("take-back");
const fault = byId("hand-fault");
const most = Number(form.dataset.hands ?? Infinity);
const totals = all(".total-points", form);
const { round, table } = form.elements;
const KEY = `night-hands:${form.dataset.night}:${round.value}:${table.value}:${form.dataset.sides}`;

function load() {
  try {
    const hands = JSON.parse(lasting.getItem(KEY));
    return Array.isArray(hands) ? hands : [];
  } catch {
    return [];
  }
}

let hands = load();

const extras = all("[data-points]", area).map(({ value, dataset }) => ({
  name: value,
  points: Number(dataset.points),
}));

function show() {
  const sums = addUp(hands, extras, totals.length);
  const rows = hands.map((hand, place) => {
    const row = document.createElement("li");
    row.textContent = `${pointsOf(hand, extras, totals.length).join(" – ")}   =   ${sums[place].join(" – ")}`;
    return row;
  });
  list.replaceChildren(...rows);
  byId("hand-number").textContent = hands.length + 1;
  showDouble();
  area.classList.toggle("is-full", hands.length >= most);
  fault.hidden = true;
  takeBack.hidden = !hands.length;
  takeBack.textContent = list.dataset.takeBack.replace("NUMBER", hands.length);
  for (const [side, input] of totals.entries()) {
    input.readOnly = Boolean(hands.length);
    if (hands.length) input.value = sums.at(-1)[side];
  }
  form.elements.hands.disabled = !hands.length;
  form.elements.hands.value = JSON.stringify(hands);
  lasting.setItem(KEY, JSON.stringify(hands));
}

/** Say which double leads the next hand, in games that name one. */
function showDouble() {
  const area = byId("hand-double");
  const double = area?.dataset.doubles.split(" ")[hands.length];
  if (area) area.textContent = double ? area.dataset.words.replace("DOUBLE", double) : "";
}

function readHand() {
  const points = all(".hand-points", area).map(({ value }) => toNumber(value || "0"));
  if (points.length) return points.includes(null) || !points.some(Boolean) ? null : { points };
  const winner = area.querySelector("[name=winner]:checked");
  const pips = toNumber(byId("hand-pips").value);
  const named = all("[name=extra]:checked", area).map(({ value }) => value);
  return winner && pips !== null ? { winner: Number(winner.value), pips, extras: named } : null;
}

function add() {
  const hand = readHand();
  if (!hand) {
    fault.hidden = false;
    (area.querySelector("[name=winner]:not(:checked)") ?? area.querySelector("input")).focus();
    return;
  }
  hands = [...hands, hand];
  for (const input of all("input", area)) {
    if (input.type === "radio" || input.type === "checkbox") input.checked = false;
    else input.value = "";
  }
  show();
  (hands.length < most ? area.querySelector("input") : form.querySelector("[type=submit]")).focus();
}

byId("add-hand").addEventListener("click", add);
area.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  add();
});
takeBack.addEventListener("click", () => {
  hands = hands.slice(0, -1);
  if (!hands.length) for (const input of totals) input.value = "";
  show();
});

const button = byId("send");
const { textContent: sendWords } = button;

/** Say that the result waits here for a network, where the reader looks: beside the button. */
function showKept() {
  const notice = byId("sheet-kept");
  notice.hidden = false;
  button.textContent = button.dataset.kept;
  button.classList.remove("button-main");
  notice.scrollIntoView({ block: "center" });
}

// What is changed after that can be sent again.
form.addEventListener("input", () => {
  button.textContent = sendWords;
  button.classList.add("button-main");
});

async function send(fields) {
  try {
    const response = await post(form.getAttribute("action"), { ...fields, page: 1 });
    if (!response.ok) return form.submit(); // the page that answers says why, and keeps what was written
    lasting.removeItem(KEY);
    location.assign((await response.json()).address);
  } catch {
    keep({
      address: form.getAttribute("action"),
      fields,
      night: form.dataset.night,
      sides: form.dataset.sides,
    });
    showKept();
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  // FormData has one value of each name here: the points of all sides have the same one.
  fields.points = totals.map(({ value }) => value.trim()).join(",");
  delete fields.point;
  send(fields);
});

document.addEventListener("keptsent", ({ detail }) => {
  if (detail.night === form.dataset.night && detail.fields.table === table.value)
    location.assign(form.dataset.back);
});

area.hidden = false;
show();
