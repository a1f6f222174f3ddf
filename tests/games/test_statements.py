"""Prepared statements return and write what the ORM does."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DatabaseError, connection
from django.forms.models import model_to_dict
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.prepared import PreparedInsert, PreparedQuery, PreparedUpdate
from games import repository
from games.models import Match, Seat
from tests.games.playing import begin, play

pytestmark = pytest.mark.django_db(transaction=True)


def seats_of(code):
    return Seat.objects.select_related("match", "user").filter(match__code=code).order_by("position")


@pytest.fixture
def matches(alice, bob, charlie) -> list[Match]:
    return [begin(alice, bob), begin(alice, bob, charlie)]


def found(seats: list[Seat]) -> list[tuple]:
    """Return all columns that were read, those of the match and the users too."""
    return [(model_to_dict(seat), model_to_dict(seat.match), vars(seat.user)["username"]) for seat in seats]


def test_rows_equal_djangos(matches):
    statement = PreparedQuery(seats_of)
    for match in [*matches, *matches]:
        assert found(statement.rows(match.code)) == found(list(seats_of(match.code)))
    assert statement.rows("nothing") == []


def test_rows_are_not_cached(matches):
    statement = PreparedQuery(seats_of)
    before = statement.rows(matches[0].code)[0].match.version
    play(matches[0])

    assert statement.rows(matches[0].code)[0].match.version == before + 1


def test_query_is_one_statement_with_joins(matches):
    statement = PreparedQuery(seats_of)
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            seats = statement.rows(matches[0].code)
            assert [seat.match.code for seat in seats] == 2 * [matches[0].code]
            assert all(seat.user.username for seat in seats)
        assert len(asked) == 1


def test_each_thread_uses_its_own_connection(matches):
    statement = PreparedQuery(seats_of)

    def names(code: str) -> list[str]:
        try:
            return [seat.name for seat in statement.rows(code)]
        finally:
            connection.close()

    here = names(matches[0].code)
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(names, [matches[0].code] * 4)) == [here] * 4


def test_other_parameters_are_refused(matches):
    statement = PreparedQuery(lambda code: seats_of(code).filter(position=0))
    with pytest.raises(ValueError, match="parameters are not"):
        statement.rows(matches[0].code)


def test_shared_related_row_is_one_object(matches):
    seats = PreparedQuery(seats_of).rows(matches[1].code)
    assert len({id(seat.match) for seat in seats}) == 1
    assert len({id(seat.user) for seat in seats}) == 3


def test_row_can_be_saved_and_refreshed(matches):
    (seat, *_) = PreparedQuery(seats_of).rows(matches[0].code)
    seat.name = "somebody"
    seat.save()
    seat.refresh_from_db()
    assert Seat.objects.get(pk=seat.pk).name == "somebody"


def test_missing_related_row_is_none(alice):
    match = begin(alice, "strong")
    person, computer = PreparedQuery(seats_of).rows(match.code)
    assert (person.user, computer.user) == (alice, None)


def test_inserted_row_equals_one_saved_by_django(matches):
    (match, _other) = matches
    twins = [
        Seat(match=match, position=position, name="somebody", kind=Seat.Kind.COMPUTER) for position in (2, 3)
    ]
    PreparedInsert(Seat).save(twins[0])
    twins[1].save()
    one, other = (
        model_to_dict(match.seats.get(position=twin.position), exclude=["id", "position"]) for twin in twins
    )
    assert one == other


def test_rows_do_not_share_mutable_values(matches):
    statement = PreparedQuery(seats_of)
    one, other = (statement.rows(matches[0].code)[0].match for _ in range(2))
    one.rules["target"] = "another"
    one.scores.append(5)
    assert (other.rules, other.scores) == (matches[0].rules, matches[0].scores)
    assert statement.rows(matches[0].code)[0].match.rules == other.rules


def test_datetime_equals_djangos(matches):
    statement = PreparedQuery(seats_of)
    for _ in range(2):
        match = statement.rows(matches[0].code)[0].match
        found = Match.objects.get(pk=match.pk)
        assert (match.started_at, match.looked_at) == (found.started_at, found.looked_at)
        assert match.started_at.utcoffset() == found.started_at.utcoffset()
        Match.objects.filter(pk=match.pk).update(looked_at=timezone.now())


def test_only_changed_fields_are_written(matches):
    (match, _other) = matches
    update = PreparedUpdate(Match, ["version", "scores", "wait_until", "leaving"])
    before = update.values(match)
    match.version, match.wait_until, match.scores = 7, timezone.now(), [10, 0]
    Match.objects.filter(pk=match.pk).update(leaving="resign")
    with CaptureQueriesContext(connection) as written:
        update.save_changes(match, before)
    found = Match.objects.get(pk=match.pk)
    assert len(written) == 1
    assert (found.version, found.wait_until, found.scores) == (7, match.wait_until, [10, 0])
    assert found.leaving == "resign"


def test_unchanged_row_is_not_written(matches):
    update = PreparedUpdate(Match, ["version", "scores"])
    with CaptureQueriesContext(connection) as written:
        update.save_changes(matches[0], update.values(matches[0]))
    assert not written


def test_rows_are_updated_with_one_call(matches):
    seats = list(matches[1].seats.all())
    for seat in seats:
        seat.score, seat.won, seat.rating_after = (
            5 * seat.position,
            seat.position == 1,
            1500.5 + seat.position,
        )
    PreparedUpdate(Seat, ["score", "won", "rating_after"]).save_all(seats)
    found = matches[1].seats.order_by("position").values_list("score", "won", "rating_after")
    assert list(found) == [(0, False, 1500.5), (5, True, 1501.5), (10, False, 1502.5)]


def test_update_of_missing_row_raises(matches):
    seats = list(matches[1].seats.all())
    update = PreparedUpdate(Seat, ["score"])
    Seat.objects.filter(pk=seats[1].pk).delete()
    with pytest.raises(DatabaseError):
        update.save(seats[1])
    with pytest.raises(DatabaseError):
        update.save_all(seats)


def test_snapshot_does_not_read_passwords(matches):
    (person, *_) = {seat.user for seat in repository.get_snapshot(matches[0].code).seats}
    assert person.username and "password" not in vars(person)


def test_page_loads_no_deferred_fields(matches, alice, browser_of):
    match = matches[0]
    with CaptureQueriesContext(connection) as asked:
        assert browser_of(alice).get(match.get_absolute_url()).status_code == 200
    assert not [
        each["sql"]
        for each in asked
        if 'SELECT "games_match"."id", "games_match"."rules" FROM' in each["sql"]
    ]
    assert repository.get_snapshot(match.code).match.rules == match.rules
