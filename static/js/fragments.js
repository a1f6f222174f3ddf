// Applies the frames of the server to the page (docs/fragments.md).
import { byId } from "./dom.js";

// A field to which the server gives no value keeps what has been typed.
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element, change) =>
  name !== "value" || change !== "remove" || element.hasAttribute("value");

// htmx swaps the answer to an element that has been removed, but fires its events nowhere.
const isPolling = (sync) => sync.classList.contains("htmx-request");

document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (target.id === "sync" && target.dataset.checksum) detail.parameters.v = target.dataset.checksum;
});

/** Record which state the page shows from now on. A new `#sync` element restarts the poll timer. */
function setState({ version, checksum }) {
  const sync = byId("sync");
  Object.assign(sync.dataset, { version, checksum });
  if (!isPolling(sync)) {
    const next = sync.cloneNode();
    sync.replaceWith(next);
    htmx.process(next);
  }
  const input = byId("version");
  input.dataset.version = version;
  input.value = version;
}

/** Poll for all fragments: an element is missing, for example because a browser extension removed it. */
function requestAllFragments() {
  const sync = byId("sync");
  if (!sync) return;
  sync.dataset.checksum = "";
  htmx.trigger(sync, "due");
}

/** The fragment around a patched element is of the page's version now, and no longer has its checksum. */
function markPatched(element) {
  const fragment = element.closest("[data-version]");
  const sync = byId("sync");
  if (!fragment || !sync || fragment === sync) return;
  fragment.dataset.version = sync.dataset.version;
  delete fragment.dataset.checksum;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  if (attributes.value) element.value = attributes.value;
}

/** Apply patches `[ids, operation, html?]`: attributes to set and new content, HTML to append, or null to remove. */
function applyPatches(patches) {
  for (const [ids, operation, html] of patches)
    for (const element of ids.split(" ").map(byId)) {
      if (!element) {
        requestAllFragments();
        continue;
      }
      markPatched(element);
      if (operation === null) element.remove();
      else if (typeof operation === "string") element.insertAdjacentHTML("beforeend", operation);
      else setAttributes(element, operation);
      if (html !== undefined) element.innerHTML = html;
    }
}

function replaceDataset(element, dataset) {
  for (const name of Object.keys(element.dataset)) delete element.dataset[name];
  Object.assign(element.dataset, dataset);
}

// The answer to a form, a frame of the socket and a poll may overtake each other. A swap that is older than the page, or
// that the page shows already, is skipped: it would reset what the player is choosing there.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const element = detail.fragment.firstElementChild ?? detail.fragment;
  if (!element.dataset) return;
  if (element.id === "patches") {
    if (element.dataset.checksum) setState(element.dataset);
    applyPatches(JSON.parse(element.dataset.patches));
    detail.shouldSwap = false;
    return;
  }
  // The idiomorph extension makes htmx treat every swap as one of the element itself.
  if ("wrapper" in element.dataset) element.replaceWith(...element.childNodes);
  if (!("version" in element.dataset)) markPatched(detail.target);
  const isOlder = Number(element.dataset.version) < Number(detail.target.dataset.version);
  const { checksum } = element.dataset;
  const isShown = checksum && checksum === detail.target.dataset.checksum;
  const isPolled = element.id === "sync" && isPolling(detail.target);
  if (isPolled && !isOlder) replaceDataset(detail.target, element.dataset);
  if (isOlder || isShown || isPolled) detail.shouldSwap = false;
});
