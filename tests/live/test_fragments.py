"""Parts of a page: the same for the same, and each in its place."""

import pytest
from django.utils.safestring import SafeString

from live.fragments.fragment import element, render

TEXT = "<b>five minutes</b>"


@pytest.mark.parametrize("kinds", [(SafeString, str), (str, SafeString)])
def test_text_that_is_marked_up_is_not_taken_for_the_same_that_is_not(kinds):
    clocks = {kind: kind(f"{TEXT} {kinds}") for kind in kinds}
    shown = {kind: render("games/_facts.html", "en", clock=clock).html() for kind, clock in clocks.items()}

    assert TEXT in shown[SafeString]
    assert TEXT not in shown[str]


def test_a_part_that_has_no_place_is_refused():
    with pytest.raises(ValueError, match="no place in plate for drawn-0"):
        element("plate", "div", "", "").filled("", element("drawn-0", "b", "", "2"))
