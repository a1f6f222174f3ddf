// Comparison of a record's rules with the preset that it names (docs/rules.md, "The presets").

import { OPTION_NAMES } from "./options.js";
import { ensure } from "./tiles.js";
import { canonicalJson, excerpt } from "./validation.js";

const isEqual = (one, other) => canonicalJson(one) === canonicalJson(other);

// Throw a Fault unless the rules are the preset's: its own with variants, or of an earlier version; either with another
// rated target. The presets: `usual` has the rules of one game; `games` has by preset id what differs from it.
export function checkPreset(id, rules, presets) {
  if (id === null) return;
  ensure(typeof id === "string" && Object.hasOwn(presets.games, id), "no_preset", { told: excerpt(id) });
  const { differing, targets, earlier, variants, together } = presets.games[id];
  const current = { ...presets.usual, ...differing };
  const target = isRated(targets, rules.target) ? rules.target : current.target;
  const versions = earlier.map((options) => ({ ...current, ...options, target }));
  if (versions.some((version) => isEqual(version, rules))) return;
  const isOwn = (option) =>
    isEqual(rules[option], option === "target" ? target : current[option]) ||
    variants[option]?.some((value) => isEqual(value, rules[option]));
  const incomplete = together.find((group) => isPartOf(group, rules));
  const name =
    OPTION_NAMES.find((option) => !isOwn(option)) ??
    Object.keys(incomplete ?? {}).find((option) => !isEqual(rules[option], incomplete[option]));
  if (name === undefined) return;
  ensure(false, "preset", { name, told: excerpt(rules[name]), due: excerpt(current[name]), preset: id });
}

const isRated = ({ usual, start, end }, target) =>
  target !== null && (usual.includes(target) || (start <= target && target <= end));

// Return whether the rules have some, but not all, of the values that go together.
function isPartOf(group, rules) {
  const present = Object.entries(group).filter(([option, value]) => isEqual(rules[option], value));
  return present.length > 0 && present.length < Object.keys(group).length;
}
