// The finished round before, over the table.
import { byId } from "../dom.js";

/** Load the page of a round into the dialog and open it. */
export async function lookBack(link) {
  await htmx.ajax("GET", link.href, { target: "#look-back", select: "#past-round", swap: "innerHTML" });
  location.hash = "#look-back";
  byId("look-back").focus();
}
