"""Clocks as forms write them and as people read them."""

import re

from django.utils.translation import gettext as _

Clock = tuple[int, int] | None  # seconds for the match, seconds for each move

WRITTEN = re.compile(r"(\d{1,5})\+(\d{1,3})\Z", re.ASCII)
SHORTEST, LONGEST = 10, 3 * 3600
LONGEST_INCREMENT = 180
OFFERED = ("none", "180+3", "300+5", "600+5", "900+10", "1800+20")


class NotAClock(ValueError):
    """The text is not a clock; the message says what would be."""


def parse(text: str) -> Clock:
    """The clock written `none`, or `300+5`. Raises NotAClock."""
    if text in ("", "none"):
        return None
    found = WRITTEN.match(text)
    if found is None:
        raise NotAClock(
            _("Clock: write it as 300+5 (seconds for the match and seconds for each move), or none.")
        )
    seconds, increment = int(found[1]), int(found[2])
    if not SHORTEST <= seconds <= LONGEST or increment > LONGEST_INCREMENT:
        raise NotAClock(
            _("Clock: %(least)s to %(most)s seconds for the match, up to %(increment)s for each move.")
            % {"least": SHORTEST, "most": LONGEST, "increment": LONGEST_INCREMENT}
        )
    return seconds, increment


def written(clock: Clock) -> str:
    """As it stands in a form's field."""
    return "none" if clock is None else f"{clock[0]}+{clock[1]}"


def short(clock: Clock) -> str:
    """In figures, for lists: 5 + 5."""
    if clock is None:
        return _("no clock")
    seconds, increment = clock
    minutes, rest = divmod(seconds, 60)
    first = f"{minutes}:{rest:02d}" if rest else str(minutes)
    return f"{first} + {increment}"
