"""Keep the state of one viewer's page of a match, and build the frames that update it."""

from functools import lru_cache
from typing import Self

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.drawing.tiles import keep_figures_together
from games.table.table_fragments import render_fragments
from games.table.table_view import TableView
from live.fragments.diff import render_frame, update_element
from live.fragments.fragment import MAX_CACHED_FRAGMENTS
from live.fragments.page_state import PageState


class MatchPageState(PageState):
    """The state of one viewer's page of a match. Its checksum begins with the match's version."""

    not_in_checksum = frozenset({"spectators"})  # their number is also sent to all pages by value

    def __init__(self, table: TableView) -> None:
        super().__init__(render_fragments(table))
        self.version = table.version
        self.attributes = f' data-version="{self.version}" data-checksum="{{}}"'
        self.is_seated, self._has_talk = table.seat is not None, bool(table.lines)
        self.checksum = f"{self.version}v{self.checksum}"
        self._sync_url = _sync_url(table.match.code)
        self._sync_attributes = {
            "data-now": f"{table.now.timestamp() * 1000:.0f}",
            "data-turn": table.whose_turn,
        }
        if table.calls_until:
            self._sync_attributes["data-wait"] = table.calls_until.isoformat()

    def full_html(self, refusal: str = "", confirmation: str = "") -> str:
        """Return every fragment as an out-of-band swap, and why a request was refused or what it has done."""
        sync = self._render_sync(' hx-swap-oob="true"')
        version = self._render_version(' hx-swap-oob="morph"')
        return f"{sync}{version}{super().full_html()}{render_refusal(refusal, confirmation)}"

    def render_diff(self, before: Self) -> str:
        """Return the frame for a page in the state `before`.

        It has checksums even if nothing changed: a page that has learned something by polling, for example that a
        player was away, then finds out that it shows something else.
        """
        sync = update_element("sync", {**dict.fromkeys(before._sync_attributes), **self._sync_attributes})
        attributes = (
            f' data-version="{self.version}" data-checksum="{self.checksum}" data-base="{before.checksum}"'
        )
        return render_frame([sync, *self.patches_from(before)], attributes)

    def carries_talk(self, before: Self | None) -> bool:
        """Return whether the frame for a page in the state `before` (None: a new page) has lines of talk."""
        if before is None:
            return self._has_talk
        return self.fragments["talk-log"] is not before.fragments["talk-log"]

    @property
    def html_by_name(self) -> dict[str, SafeString]:
        own = {"version": mark_safe(self._render_version()), "sync": mark_safe(self._render_sync())}  # noqa: S308
        return super().html_by_name | own

    def _render_version(self, swap: str = "") -> str:
        """Return the form field with the version that a move refers to."""
        return (
            f'<input type="hidden" id="version" name="version" value="{self.version}"'
            f' data-version="{self.version}"{swap}>'
        )

    def _render_sync(self, swap: str = "") -> str:
        """Return the element that polls for the page; fragments.js adds the checksum of what the page shows."""
        attributes = "".join(f' {name}="{value}"' for name, value in self._sync_attributes.items())
        return (
            f'<div id="sync" data-checksum="{self.checksum}"{swap} data-version="{self.version}"{attributes}'
            f' hx-get="{self._sync_url}" hx-trigger="every 20s, due" hx-swap="none"></div>'
        )


# Cache: key the code; bound MAX_CACHED_FRAGMENTS; invalidated by nothing, as addresses are fixed.
@lru_cache(MAX_CACHED_FRAGMENTS)
def _sync_url(code: str) -> str:
    return reverse("match-sync", args=[code])


def render_refusal(refusal: str = "", confirmation: str = "", hint: str = "") -> str:
    """Return the fragment with why a request was refused, or what it has done; "" without either.

    `hint` is a recommended move, which the page highlights.
    """
    if not refusal and not confirmation:
        return ""
    return format_html(
        '<p id="refusal" role="{}"{} hx-swap-oob="morph">{}</p>',
        "alert" if refusal else "status",
        format_html(' data-hint="{}"', hint) if hint else "",
        keep_figures_together(refusal or confirmation),
    )
