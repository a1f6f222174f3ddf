"""The field of a set: with whom results are compared, whose results count, and what each result is worth.

The field is the official entries and, with fewer than `HOUSE_COUNTS_BELOW` of them, the house. All are compared with
it. Those who count have a place; it is the same on every page.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils.translation import gettext as _

from events.comparison import Field, find_rank
from events.models import HOUSE_SIZE, DealSet, Entry, HouseResult
from games.models import Match, Seat
from games.wording.personas import persona_of

HOUSE_COUNTS_BELOW = 40  # official entries: from then on they are compared with each other alone


@dataclass(frozen=True)
class Result:
    """One result of the field. `entry` is None for a computer of the house field."""

    name: str
    kind: str
    match: str | None
    margins: list[int]
    lines: list[str]
    entry: Entry | None
    key: str  # among the results of the set
    percents: list[float | None]
    score: float | None
    place: int | None = None  # among those who count

    @property
    def is_computer(self) -> bool:
        return self.entry is None

    @property
    def counts(self) -> bool:
        return self.entry is not None and self.entry.counts


@dataclass(frozen=True)
class LoadedField:
    """A set with the results of its people and of the house field."""

    deals: DealSet
    entries: list[Entry]
    house: list[HouseResult]

    @cached_property
    def official(self) -> list[Entry]:
        """Return the entries of the field."""
        return [entry for entry in self.entries if entry.is_official]

    @property
    def people(self) -> int:
        """Return how many people are in the field."""
        return len(self.official)

    @cached_property
    def played(self) -> int:
        """Return how many people have finished a round, whether they count or not."""
        return sum(bool(entry.margins) for entry in self.entries)

    @property
    def counted_house(self) -> list[HouseResult]:
        return self.house if self.people < HOUSE_COUNTS_BELOW else []

    @cached_property
    def field(self) -> Field:
        counted = [entry.margins for entry in self.official]
        return Field([*counted, *(row.margins for row in self.counted_house)], self.deals.rounds)

    @cached_property
    def results(self) -> list[Result]:
        """Return all results, best first: the people who have finished a round, then the house that counts."""
        people = [self.build_result(entry) for entry in self.entries if entry.margins]
        house = [self._build_house_result(row) for row in self.counted_house]
        return sorted(
            [*people, *house], key=lambda result: -1 if result.score is None else result.score, reverse=True
        )

    @cached_property
    def scores(self) -> list[float]:
        """Return the scores of those who count: all have played every round."""
        counted = [entry for entry in self.entries if entry.counts]
        scores = [self.field.compute_score(entry.margins, is_member=entry.is_official) for entry in counted]
        return [score for score in scores if score is not None]

    def build_result(self, entry: Entry) -> Result:
        """Return the result of a person; its match is named once the set has closed."""
        user = entry.user
        is_deleted = user is None or user.deleted_at is not None
        is_guest = user is not None and user.is_guest
        is_member = entry.is_official
        score = self.field.compute_score(entry.margins, is_member=is_member, is_final=self.deals.closed)
        return Result(
            _("deleted player") if user is None or is_deleted else user.username,
            Seat.Kind.GUEST if is_guest else Seat.Kind.PLAYER,
            entry.match.code if self.deals.closed else None,
            entry.margins,
            entry.lines,
            entry,
            f"p{entry.pk}",
            self.field.compute_percents(entry.margins, is_member=is_member),
            score,
            find_rank(score, self.scores) if entry.counts and score is not None else None,
        )

    def _build_house_result(self, row: HouseResult) -> Result:
        return Result(
            persona_of(row.level, row.figure).name,
            Seat.Kind.COMPUTER,
            None,
            row.margins,
            row.lines,
            None,
            f"h{row.number}",
            self.field.compute_percents(row.margins),
            self.field.compute_score(row.margins, is_final=True),
        )


def load_field(deals: DealSet) -> LoadedField:
    """Load the field of a set. While it is open only the margins are needed: nobody's result is shown."""
    entries = Entry.objects.filter(deals=deals, practice=False)
    if deals.closed:
        entries = entries.select_related("user", "match").defer("match__rules", "match__entropy")
    else:
        entries = entries.only(*Entry.DECIDING_FIELDS, "margins")
    # Earlier releases played more of them.
    house = deals.house_results.filter(number__lt=HOUSE_SIZE)
    return LoadedField(deals, list(entries), list(house))


def find_own_entry(deals: DealSet, user_id: int | None) -> Entry | None:
    """Return the person's entry of the set, or None."""
    if user_id is None:
        return None
    entries = Entry.objects.filter(deals=deals, user=user_id, practice=False)
    return entries.select_related("match", "user").first()


def find_closing_time(match: Match) -> datetime | None:
    """Return when the set of a match closes."""
    return DealSet.objects.filter(name=match.deals).values_list("closes_at", flat=True).first()


def describe_own_result(match: Match) -> str:
    """Return the headline of a person's match of a day: their score and place, as far as they are known."""
    entry = Entry.objects.filter(match=match).select_related("deals", "user").first()
    if entry is None or entry.practice or entry.deals.day is None or match.result_how == "time":
        return ""
    loaded = load_field(entry.deals)
    result = loaded.build_result(entry)
    if result.score is None:
        return _("Played. Your score comes with the field.")
    if result.place is None:
        return _("Score %(score)d %% so far") % {"score": round(result.score)}
    return _("Score %(score)d %%: place %(place)d of %(size)d so far") % {
        "score": round(result.score),
        "place": result.place,
        "size": len(loaded.scores),
    }
