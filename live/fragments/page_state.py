"""The state of a page: all its fragments, and the frame that leads to it from an earlier state (docs/fragments.md)."""

from collections.abc import Iterable
from typing import Self
from zlib import crc32

from django.utils.safestring import SafeString

from live.fragments.diff import Patch, diff, render_frame
from live.fragments.fragment import Fragment


class PageState:
    """The fragments that a page shows, by id and in the page's order.

    Pages with the same `checksum` show the same, but for the fragments of `not_in_checksum`.
    """

    not_in_checksum: frozenset[str] = frozenset()
    attributes = (
        ""  # of each fragment of the page beside its own, with the fragment's checksum in place of {}
    )

    def __init__(self, fragments: Iterable[Fragment]) -> None:
        self.fragments = {fragment.id: fragment for fragment in fragments}
        checksums = [each.checksum for each in self.fragments.values() if each.id not in self.not_in_checksum]
        self.checksum = f"{crc32(''.join(checksums).encode()):x}"
        # Cache: key the checksum of the earlier state; bound as many states as open pages still show; invalidated
        # with this state, when the next one replaces it.
        self._frames: dict[str, str] = {}

    def full_html(self) -> str:
        """Return every fragment as an out-of-band swap, which brings any page to this state."""
        return "".join(
            [
                each.html(f'{self.attributes.format(each.checksum)} hx-swap-oob="morph"')
                for each in self.fragments.values()
            ]
        )

    def diff_from(self, before: Self) -> str:
        """Return the frame that brings a page from the state `before` to this one."""
        if before.checksum not in self._frames:
            self._frames[before.checksum] = self.render_diff(before)
        return self._frames[before.checksum]

    def render_diff(self, before: Self) -> str:
        return render_frame(self.patches_from(before))

    def patches_from(self, before: Self) -> list[Patch]:
        patches: list[Patch] = []
        for id, fragment in self.fragments.items():
            if fragment is not before.fragments[id]:
                patches += diff(before.fragments[id], fragment, self.attributes)
        return patches

    @property
    def html_by_name(self) -> dict[str, SafeString]:
        """Return the elements for the page's template; the names are the ids with underscores."""
        return {
            id.replace("-", "_"): each.html(self.attributes.format(each.checksum))
            for id, each in self.fragments.items()
        }
