"""What a page of a match shows to its viewer, and the frames that bring another page up to it."""

from functools import lru_cache
from zlib import crc32

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.drawing.tiles import unbroken
from games.table.table_fragments import page_parts
from games.table.table_view import Table
from live.fragments.fragment import KEPT, Change, Changes, Part, becomes, changes, frame


class Shown:
    """The parts of one viewer's page, by id and in the page's order.

    `stamp` is the version and a sum of all parts: what a page of the same stamp shows is the same, but for the number
    of spectators, of whom every page is told apart.
    """

    def __init__(self, table: Table) -> None:
        self.version = table.version
        self.parts = {part.id: part for part in page_parts(table)}
        stamps = "".join([part.stamp for part in self.parts.values() if part.id != "spectators"])
        self.stamp = f"{self.version}v{crc32(stamps.encode()):x}"
        self._address = _sync_address(table.match.code)
        self._moment = {"data-now": f"{table.now.timestamp() * 1000:.0f}", "data-turn": table.whose_turn}
        if table.calls_until:
            self._moment["data-wait"] = table.calls_until.isoformat()
        self._frames: dict[str, str] = {}

    def whole(self, refusal: str = "", done: str = "") -> str:
        """The fragments that bring any page of this viewer up to date, each to be swapped where its id is; and why
        something was refused, or what was done."""
        swap = ' hx-swap-oob="morph"'
        parts = "".join(part.html(self._marks(part) + swap) for part in self.parts.values())
        sync = self._sync(' hx-swap-oob="true"')
        return f"{sync}{self._number(swap)}{parts}{told(refusal, done)}"

    def after(self, before: "Shown") -> str:
        """The fragments for a page that shows `before`. If that is the same they tell no more than that: a page that
        shows something else since it asked by itself, as that somebody was away for a while, finds it out by them."""
        if before.stamp not in self._frames:
            self._frames[before.stamp] = self._after(before)
        return self._frames[before.stamp]

    def _after(self, before: "Shown") -> str:
        moment = Change("sync", becomes({**dict.fromkeys(before._moment), **self._moment}))
        changed: Changes = [moment]
        for id, part in self.parts.items():
            if part is not before.parts[id]:
                changed += changes(before.parts[id], part, self._marks(part))
        about = f' data-version="{self.version}" data-stamp="{self.stamp}" data-after="{before.stamp}"'
        return frame(changed, about)

    @cached_property
    def in_page(self) -> dict[str, SafeString]:
        """The whole elements for the page's template, by their ids in its spelling."""
        found = {id.replace("-", "_"): part.html(self._marks(part)) for id, part in self.parts.items()}
        return found | {"version": mark_safe(self._number()), "sync": mark_safe(self._sync())}  # noqa: S308

    def _marks(self, part: Part) -> str:
        return f' data-version="{self.version}" data-stamp="{part.stamp}"'

    def _number(self, swap: str = "") -> str:
        """The version that a move names."""
        return (
            f'<input type="hidden" id="version" name="version" value="{self.version}"'
            f' data-version="{self.version}"{swap}>'
        )

    def _sync(self, extra: str = "") -> str:
        """What asks for the page anew; its script says what the page shows then."""
        moment = "".join(f' {name}="{value}"' for name, value in self._moment.items())
        return (
            f'<div id="sync" data-stamp="{self.stamp}"{extra} data-version="{self.version}"{moment}'
            f' hx-get="{self._address}" hx-trigger="every 20s, due" hx-swap="none"></div>'
        )


@lru_cache(KEPT)
def _sync_address(code: str) -> str:
    return reverse("match-sync", args=[code])


def told(refusal: str = "", done: str = "") -> str:
    """The fragment that tells why something was refused, or what was done; "" if it is neither."""
    if not refusal and not done:
        return ""
    role = "alert" if refusal else "status"
    return format_html(
        '<p id="refusal" role="{}" hx-swap-oob="morph">{}</p>', role, unbroken(refusal or done)
    )
