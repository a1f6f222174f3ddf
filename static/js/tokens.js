// The page that shows a new token once.
import { offerCopying } from "./copying.js";
import { byId } from "./dom.js";

offerCopying(byId("copy-token"), byId("token"), byId("copied"));
