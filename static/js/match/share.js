// Shares the result and a picture of the final board, drawn in this browser.
import { all, byId } from "../dom.js";
import { openShare } from "../share.js";
import { board } from "./page.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH_PX = 1200;
const PADDING = 60; // units of the drawing, here and below
const CAPTION = 70;
const SIDES = { size: 26, weight: 600 }; // the letters above and below the line
const SOURCE = { size: 20 };
const PAINTED = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "stroke-dasharray",
  "stop-color",
  "opacity",
  "visibility",
  "font-family",
  "font-weight",
  "font-size",
  "text-anchor",
];

/** Copy an element with its computed paint: a picture has no style sheet. */
function freeze(element) {
  const copy = element.cloneNode();
  const style = getComputedStyle(element);
  copy.removeAttribute("class");
  for (const name of PAINTED) copy.setAttribute(name, style.getPropertyValue(name));
  if (style.translate !== "none") copy.setAttribute("dy", style.translate.split(" ")[1] ?? 0);
  for (const child of element.childNodes)
    copy.append(child.nodeType === 1 ? freeze(child) : child.cloneNode());
  return copy;
}

function create(name, attributes, ...content) {
  const element = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

const readSides = () =>
  all("#over .result > span").map((side) => side.textContent.trim().replace(/\s+/g, " "));

function measure(words, { size, weight = 400 }, family) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${weight} ${size}px ${family}`;
  return pen.measureText(words).width;
}

function createPicture() {
  const line = board();
  const box = line.querySelector(".laid").getBBox();
  const felt = getComputedStyle(byId("table"));
  const sides = readSides().join(" · ");
  const source = `${document.title.split(" · ").at(-1)} · ${location.host}`;
  // A short line has more felt beside it, so that the names and scores have room.
  const width =
    Math.max(box.width, measure(sides, SIDES, felt.fontFamily), measure(source, SOURCE, felt.fontFamily)) +
    2 * PADDING;
  const height = box.height + 2 * PADDING + 2 * CAPTION;
  const [middle, y] = [box.x + box.width / 2, box.y - PADDING - CAPTION];
  const x = middle - width / 2;
  const text = {
    x: middle,
    "text-anchor": "middle",
    "font-family": felt.fontFamily,
    fill: felt.color,
  };
  return create(
    "svg",
    {
      xmlns: SVG_NAMESPACE,
      viewBox: `${x} ${y} ${width} ${height}`,
      width: WIDTH_PX,
      height: (WIDTH_PX / width) * height,
    },
    create("defs", {}, ...all(".sprite defs > *").map(freeze)),
    create("rect", { x, y, width, height, fill: felt.backgroundColor }),
    create(
      "text",
      { ...text, y: y + CAPTION * 0.75, "font-size": SIDES.size, "font-weight": SIDES.weight },
      sides,
    ),
    ...[...line.children].map(freeze),
    create("text", { ...text, y: y + height - CAPTION * 0.4, "font-size": SOURCE.size }, source),
  );
}

const addressOf = (svg) =>
  `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;

async function drawPng(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Show what can be shared: the link, the result in words and the picture. */
export async function shareResult() {
  const drawn = addressOf(createPicture());
  await openShare({
    drawn,
    picture: await drawPng(drawn),
    name: `boneyard-${location.pathname.split("/")[2]}.png`,
    words: readSides().join(" · "),
  });
}
