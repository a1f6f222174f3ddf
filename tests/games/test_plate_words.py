"""The words of a plate that are only heard."""

import pytest

from games.table.plate_fragments import _render_fact


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("", '<span class="visually-hidden">holds no 4, 1</span>'),
        ("passed", 'passed<span class="visually-hidden">; holds no 4, 1</span>'),
    ],
)
def test_what_a_hand_lacks_is_joined_to_a_fact_only(fact, words):
    assert _render_fact(0, fact, "holds no 4, 1").inner_html == words
