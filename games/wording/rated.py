"""The targets with which a game is rated, in words.

>>> from boneyard.engine.presets import PRESETS
>>> rated_targets_sentence(PRESETS["all-fives"])
'Any target from 20 to 500 can be rated.'
>>> rated_targets_sentence(PRESETS["puerto-rico-200"])
'Only the targets 100 and 200 can be rated.'
>>> rated_targets_sentence(PRESETS["gomuggins"])
'Only the target 365 can be rated.'
"""

from django.utils.translation import gettext as _

from boneyard.engine.presets import Preset


def rated_targets_sentence(preset: Preset) -> str:
    """Return which targets can be rated."""
    rated, own = preset.rated_targets, preset.rules.target
    if rated.end:
        return _("Any target from %(start)s to %(end)s can be rated.") % {
            "start": rated.start,
            "end": rated.end,
        }
    *some, last = sorted({*rated.usual, *(() if own is None else (own,))})
    if not some:
        return _("Only the target %(target)s can be rated.") % {"target": last}
    params = {"targets": ", ".join(map(str, some)), "last": last}
    return _("Only the targets %(targets)s and %(last)s can be rated.") % params
