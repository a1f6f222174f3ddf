// The board is drawn wide and tall, and the style sheet shows one. The server sends only that to a page that names it.
import { byId } from "../dom.js";

let socket = null;
let told = "";

const shape = () => getComputedStyle(byId("board")).getPropertyValue("--shape").trim();

function tell() {
  if (!socket || told === shape()) return;
  told = shape();
  socket.sendImmediately(`shape ${told}`);
}

document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socket = detail.socketWrapper;
  told = "";
  tell();
});

document.addEventListener("htmx:wsClose", () => {
  socket = null;
});

document.addEventListener("htmx:configRequest", ({ detail }) => {
  detail.headers.Shape = shape();
});

addEventListener("resize", tell);
