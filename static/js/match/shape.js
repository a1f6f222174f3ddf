// Sends the shape of the board ("wide" or "tall", by style sheet) to the server, which then renders only that drawing.
import { byId } from "../dom.js";

let socket = null;
let sentShape = "";

const shape = () => getComputedStyle(byId("board")).getPropertyValue("--shape").trim();

function sendShape() {
  if (!socket || sentShape === shape()) return;
  sentShape = shape();
  socket.sendImmediately(`shape ${sentShape}`);
}

document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socket = detail.socketWrapper;
  sentShape = "";
  sendShape();
});

document.addEventListener("htmx:wsClose", () => {
  socket = null;
});

document.addEventListener("htmx:configRequest", ({ detail }) => {
  detail.headers.Shape = shape();
});

addEventListener("resize", sendShape);
