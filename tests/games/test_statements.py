"""Queries whose SQL is made once: they find what Django finds for the same, for any value, in any thread."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext

from accounts.statements import Insert, Statement
from games.models import Match, Seat
from tests.games.playing import begin, play

pytestmark = pytest.mark.django_db(transaction=True)


def seats_of(code):
    return Seat.objects.select_related("match", "user").filter(match__code=code).order_by("position")


@pytest.fixture
def matches(alice, bob, charlie) -> list[Match]:
    return [begin(alice, bob), begin(alice, bob, charlie)]


def found(seats: list[Seat]) -> list[tuple]:
    """All that was read, the persons' and the match's columns too."""
    return [(model_to_dict(seat), model_to_dict(seat.match), vars(seat.user)["username"]) for seat in seats]


def test_rows_are_those_that_django_finds(matches):
    statement = Statement(seats_of)
    for match in [*matches, *matches]:
        assert found(statement.rows(match.code)) == found(list(seats_of(match.code)))
    assert statement.rows("nothing") == []


def test_rows_are_read_anew_each_time(matches):
    statement = Statement(seats_of)
    before = statement.rows(matches[0].code)[0].match.version
    play(matches[0])

    assert statement.rows(matches[0].code)[0].match.version == before + 1


def test_a_read_is_one_statement_that_joins(matches):
    statement = Statement(seats_of)
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            seats = statement.rows(matches[0].code)
            assert [seat.match.code for seat in seats] == 2 * [matches[0].code]
            assert all(seat.user.username for seat in seats)
        assert len(asked) == 1


def test_each_thread_asks_by_its_own_connection(matches):
    statement = Statement(seats_of)

    def names(code: str) -> list[str]:
        try:
            return [seat.name for seat in statement.rows(code)]
        finally:
            connection.close()

    here = names(matches[0].code)
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(names, [matches[0].code] * 4)) == [here] * 4


def test_a_query_with_another_parameter_is_refused(matches):
    statement = Statement(lambda code: seats_of(code).filter(position=0))
    with pytest.raises(ValueError, match="other values than"):
        statement.rows(matches[0].code)


def test_what_several_rows_have_in_common_is_made_once(matches):
    seats = Statement(seats_of).rows(matches[1].code)
    assert len({id(seat.match) for seat in seats}) == 1
    assert len({id(seat.user) for seat in seats}) == 3


def test_a_row_that_was_found_can_be_saved_and_read_again(matches):
    (seat, *_) = Statement(seats_of).rows(matches[0].code)
    seat.name = "somebody"
    seat.save()
    seat.refresh_from_db()
    assert Seat.objects.get(pk=seat.pk).name == "somebody"


def test_a_seat_without_a_person_has_none(alice):
    match = begin(alice, "strong")
    person, computer = Statement(seats_of).rows(match.code)
    assert (person.user, computer.user) == (alice, None)


def test_a_row_that_is_put_in_is_what_django_would_have_saved(matches):
    (match, _other) = matches
    twins = [
        Seat(match=match, position=position, name="somebody", kind=Seat.Kind.COMPUTER) for position in (2, 3)
    ]
    Insert(Seat).create(twins[0])
    twins[1].save()
    one, other = (model_to_dict(Seat.objects.get(pk=twin.pk), exclude=["id", "position"]) for twin in twins)
    assert one == other
    twins[0].name = "else"
    twins[0].save()
    assert Seat.objects.get(pk=twins[0].pk).name == "else"


def test_several_rows_are_put_in_together(matches):
    (match, _other) = matches
    Insert(Seat).save_all(Seat(match=match, position=position, name="somebody") for position in (2, 3))
    assert list(match.seats.values_list("position", flat=True)) == [0, 1, 2, 3]
