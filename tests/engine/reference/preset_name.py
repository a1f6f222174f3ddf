"""The rules under which a record names a preset: docs/record.md, "The match", `preset`."""

from tests.engine.reference.defaults import complete


def keeps_name(preset: dict, rules: dict) -> bool:
    """Return whether these are the preset's rules, also with its variants, or those of an earlier version.

    The target may also be another rated one.
    """
    own, rules = complete(preset["rules"]), complete(rules)
    if rules["target"] != own["target"] and not _is_rated(preset.get("rated_targets", []), rules["target"]):
        return False
    rules["target"] = own["target"]
    if any(rules == own | differing for differing in preset.get("earlier", [])):
        return True
    changed = {option for option in rules if rules[option] != own[option]}
    variants = preset.get("variants", {})
    if not all(rules[option] in variants.get(option, []) for option in changed):
        return False
    return all(_all_or_none(group, rules, own) for group in preset.get("together", []))


def _is_rated(targets: list | dict, target: int | None) -> bool:
    if target is None:
        return False
    return targets["from"] <= target <= targets["to"] if isinstance(targets, dict) else target in targets


def _all_or_none(group: dict, rules: dict, own: dict) -> bool:
    present = [rules[option] == value for option, value in group.items()]
    assert all(own[option] != value for option, value in group.items())
    return all(present) or not any(present)
