"""Whom quick play would seat a reader with: the lobby's numbers, and the question that a press asks. Reads only."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from core.numbers import display_rating
from games.time.day_clocks import DAY_SECONDS, format_clock_field
from games.wording import short_goal_name
from lobbies import clocks, pairing
from lobbies.models import Table
from lobbies.offers import QuickGame
from lobbies.pairing import Seeker


class Offer(NamedTuple):
    """What a press for a game does for its reader.

    table      where they are seated, or None: they would wait alone
    otherwise  where people wait for the same game with other seats, clock or ratings, if `table` is None
    rated      where people wait for it whom the reader meets only with an account, if there is nobody else
    """

    game: QuickGame
    table: Table | None = None
    otherwise: Table | None = None
    rated: Table | None = None

    @property
    def people(self) -> int:
        """Return how many people wait there."""
        found = self.table or self.otherwise or self.rated
        return 0 if found is None else len(list_people(found))

    @property
    def words(self) -> str:
        """Return *2 waiting*, or *2 waiting in threes* where the game differs."""
        if not self.people:
            return ""
        words = ngettext("%(n)s waiting", "%(n)s waiting", self.people) % {"n": self.people}
        if self.rated is not None:
            return f"{words}, {_('rated')}"
        return words if self.otherwise is None else f"{words}{describe_shape(self.otherwise, self.game)}"


def list_people(table: Table) -> list[str]:
    """Return the names of the people at a table."""
    return [sitting.user.username for sitting in table.sittings.all() if sitting.user is not None]


def load_tables() -> list[Table]:
    """Return the tables at which anybody may sit down, the longest waiting first."""
    return list(pairing.filter_waiting().filter(private=False).order_by("created_at"))


def find_offer(seeker: Seeker, game: QuickGame, tables: Sequence[Table], now: datetime) -> Offer:
    """Return what a press for this game does: the same as `services.quick_play` with these tables."""
    alike = [table for table in tables if table.preset == game.preset]
    if not alike:
        return Offer(game)
    fitting = pairing.choose_fitting(seeker, game.as_game(rated=seeker.may_rate), alike, now)
    if fitting:
        return Offer(game, fitting[0])
    others = list(find_joinable(seeker, alike))
    if not others and seeker.has_no_account:
        rated = list(find_joinable(seeker._replace(may_rate=True), alike))
        return Offer(game, rated=min(rated, key=_rank) if rated else None)
    return Offer(game, None, min(others, key=_rank) if others else None)


def find_joinable(seeker: Seeker, tables: Iterable[Table]) -> Iterator[Table]:
    """Yield the tables of games as written where people wait now and this person may sit down."""
    for table in tables:
        by_days = (table.clock_seconds or 0) >= DAY_SECONDS
        if table.changed or by_days or table.preset not in PRESETS or (table.rated and not seeker.may_rate):
            continue
        if list_people(table) and pairing.may_meet(seeker, table):
            yield table


def suggest(
    seeker: Seeker,
    own: Sequence[QuickGame],
    usual: Sequence[QuickGame],
    tables: Sequence[Table],
    now: datetime,
) -> Offer:
    """Return the game in which somebody who wants any opponent meets one soonest.

    That is their own last game if somebody waits there, else what most people wait for, usual games first, else any
    table, else their own last game or the first usual one.
    """
    offers = [find_offer(seeker, game, tables, now) for game in (*own[:1], *usual)]
    if own and offers[0].table is not None:
        return offers[0]
    seated = [offer for offer in offers if offer.table is not None]
    if seated:
        return max(seated, key=lambda offer: offer.people)
    joinable = list(find_joinable(seeker, tables))
    if not joinable:
        return offers[0]
    best = min(joinable, key=_rank)
    return Offer(quick_game_of(best), None, best)


def quick_game_of(table: Table) -> QuickGame:
    return QuickGame(table.preset, table.seats, format_clock_field(table.clock))


def _rank(table: Table) -> tuple[int, int, datetime]:
    """Return the key by which tables are offered: that which starts soonest, then the fullest, then the oldest."""
    taken = len(table.sittings.all())
    return table.seats - taken, -taken, table.created_at


def describe_shape(table: Table, game: QuickGame) -> str:
    """Return how a table differs from what was asked for: *in threes*, or *, 10 + 5, casual*."""
    if table.seats != game.seats:
        return f" {seats_in_words(table)}"
    rules = Rules.from_dict(table.rules)
    said = []
    if table.clock != clocks.parse(game.clock):
        said.append(clocks.short_name(table.clock))
    if rules.target != PRESETS[table.preset].rules.target:
        said.append(short_goal_name(rules))
    if not table.rated:
        said.append(_("casual"))
    ratings = [sitting.rating for sitting in table.sittings.all() if sitting.rating is not None]
    if not said and ratings:
        said.append(_("rated %(rating)s") % {"rating": display_rating(sum(ratings) / len(ratings))})
    return "".join(f", {text}" for text in said or [_("with other rules")])


def seats_in_words(table: Table) -> str:
    """Return *for two*, *in threes*, *in fours* or *in pairs*."""
    if table.seats == 4 and Rules.from_dict(table.rules).in_pairs(4):
        return _("in pairs")
    return {2: _("for two"), 3: _("in threes")}.get(table.seats, _("in fours"))
