"""What is said between two rounds whose pause is shorter than the sum of the first one takes to be read."""

from collections.abc import Iterator

import pytest

from tests.browser import screen_reader
from tests.browser.conftest import run_quick_site
from tests.browser.tables import post_move
from tests.browser.test_round_pauses import open_last_move_of_round
from tests.browser.waiting import expect_value
from tests.server import Site


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from run_quick_site(tmp_path_factory, ROUND_PAUSE_MS="1500")


def test_next_round_is_said_once_the_sum_of_the_last_one_was_read(alice, bob):
    now = open_last_move_of_round(alice, bob, shown=[alice])
    alice.evaluate(screen_reader.RECORD_ANNOUNCEMENTS_JS)
    post_move(alice, now["legal"][0], now)

    said = expect_value(alice, "() => transcript", lambda rows: any("Round 2" in row[0] for row in rows))
    times = {part: (row[0], row[2]) for part in ("Score:", "Round 2") for row in said if part in row[0]}
    (end, said_at), (opening, begun_at) = times["Score:"], times["Round 2"]
    assert "Score:" not in opening
    assert begun_at - said_at >= screen_reader.READING_MS_PER_CHARACTER * len(end) - 50
