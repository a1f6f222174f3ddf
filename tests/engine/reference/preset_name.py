"""The rules under which a record names a preset: docs/record.md, "The match", `preset`."""

from tests.engine.reference.defaults import complete


def keeps_name(preset: dict, rules: dict) -> bool:
    """Return whether these are the preset's rules, also with another rated target or of an earlier version."""
    own = complete(preset["rules"])
    versions = [own, *(own | differing for differing in preset.get("earlier", []))]
    versions += [own | {"target": target} for target in preset.get("rated_targets", [])]
    return complete(rules) in versions
