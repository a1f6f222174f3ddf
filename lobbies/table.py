"""The context of a waiting table, for its page and its socket."""

import json
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names import label
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.terms import terms
from boneyard.engine.tiles import SET_SIZES
from core.numbers import display_rating
from games.drawing.marks import mark
from games.drawing.tiles import draw_heap
from games.models import Seat
from games.time.clocks import describe_clock
from games.wording import (
    describe_differences,
    describe_rules,
    goal_beside,
    level_name,
    part_name,
    persona_of,
    speech_of,
)
from games.wording.changes import Mark, mark_options
from games.wording.scope import Sentence
from live.open_sockets import count_people_here
from lobbies import no_shows, seating
from lobbies.commitments import build_state
from lobbies.models import Sitting, Table
from lobbies.pairing import load_seeker
from lobbies.services.quick import may_fill, may_seat_computer
from lobbies.services.rows import CHALLENGED_SEAT, rotate_seat

OFFER_AFTER_SECONDS = (
    20  # alone at a table of quick play: other games that people wait for; the same one at once
)
COMPUTER_AFTER_SECONDS = 40  # the computer, meanwhile, as the main button
MAX_OTHER_GAMES = 3


class SeatCard(NamedTuple):
    """A seat as rendered: who sits there, whom it is reserved for, or that the viewer may sit down.

    `partner` says, in pairs, whose partner it is.
    """

    position: int
    mark: SafeString
    name: str
    rating: str
    completion: int | None
    computer: str
    guest: bool
    mine: bool
    kept_for: str
    free: bool
    partner: str = ""
    avatar: str = ""

    @property
    def is_taken(self) -> bool:
        return bool(self.name or self.computer)

    @property
    def state(self) -> str:
        """Return the class that sets the plate apart, with a leading blank."""
        return " is-mine" if self.mine else "" if self.is_taken else " is-free"


class Elsewhere(NamedTuple):
    """Another table where people wait: its game, players and clock, and who waits there."""

    code: str
    game: str
    about: str
    people: str


class Rule(NamedTuple):
    """A sentence of the rules; `difference` says by what it differs from the preset's, "" if it does not."""

    text: str
    difference: str


def table_context(table: Table, user: Any) -> dict[str, Any]:
    """Return what changes while people come and go; `mine` is the viewer's own sitting or None."""
    taken = {sitting.position: sitting for sitting in table.sittings.select_related("user")}
    mine = next((s for s in taken.values() if user.is_authenticated and s.user_id == user.pk), None)
    reserved_for = _reserved_seats(table)
    reserved = {
        position for position, who in reserved_for.items() if not user.is_authenticated or who[0] != user.pk
    }
    full = len(taken) == table.seats
    guest = not user.is_authenticated or user.is_guest
    sitting_here = mine is None and table.open and not full and not (table.rated and guest)
    rules = Rules.from_dict(table.rules)
    side_of = terms(rules, table.seats).side_of
    seats = []
    for position in range(table.seats):
        free = sitting_here and position not in taken and position not in reserved
        side_mark = mark(side_of[position])
        name = reserved_for.get(position, (0, ""))[1]
        seats.append(_seat_card(position, side_mark, taken.get(position), mine, name, free))
    if table.in_pairs:
        seats = [_name_partner(card, taken, mine) for card in seats]
    if mine is not None:  # one sits at the near side of the table
        seats = [*seats[mine.position :], *seats[: mine.position]]
    has_room = any(not (card.name or card.computer or card.kept_for) for card in seats)
    all_kept = not full and all(position in taken or position in reserved for position in range(table.seats))
    elapsed = max(0, int((timezone.now() - table.created_at).total_seconds()))
    is_alone = mine is not None and table.quick and table.open and len(taken) == 1
    state = json.dumps(build_state(table, mine, list(taken.values()))) if mine is not None else ""
    return {
        "table": table,
        "state": state,
        "elapsed": elapsed,
        "elapsed_text": f"{elapsed // 60}:{elapsed % 60:02}",
        "others_here": _count_others_here(taken)
        if mine is not None and not (full or table.private)
        else None,
        "others": _find_others(table, user, any_game=elapsed >= OFFER_AFTER_SECONDS) if is_alone else [],
        "absent": no_shows.find_absent(table, user) if mine is not None and table.reseals else "",
        "is_long": is_alone and elapsed >= COMPUTER_AFTER_SECONDS,
        "commitments": _describe_commitments(table, seats, taken),
        "headline": _count_seated(table, len(taken)),
        "heap": draw_heap(SET_SIZES[rules.set]),
        "seats": seats,
        "first_free": next((card.position for card in seats if card.free), None),  # the main button
        "mine": mine,
        "full": full,
        "has_room": has_room,
        "invited": _invitation(table, taken, user, all_kept)
        if mine is None and table.open and not full
        else "",
        "may_fill": mine is not None and may_fill(table, user),
        "may_seat_computer": mine is not None and table.seats > 2 and may_seat_computer(table, user),
        "shared_address": table.rated and table.shared_address,
        "challenged": mine is None and table.open and user.is_authenticated and table.kept_for_id == user.pk,
        "sign_up_first": table.rated and guest and mine is None and not full and not all_kept,
        "address": table.get_absolute_url(),
    }


def page_context(table: Table, user: Any) -> dict[str, Any]:
    """Return the context of the whole page."""
    rules = Rules.from_dict(table.rules)
    parts: dict[str, list[Rule]] = {}
    with speech_of(table.preset).in_region():
        sentences = describe_rules(rules, table.seats, PRESETS[table.preset].rules)
    marks = mark_options(PRESETS[table.preset], rules, table.seats)
    for sentence in sentences:
        difference = _name_difference(sentence, marks) if sentence.changed else ""
        parts.setdefault(part_name(sentence.part), []).append(Rule(sentence.text, difference))
    return table_context(table, user) | {
        "title": table.title,
        # The target is in the line above.
        "differences": describe_differences(table.preset, rules, table.seats, with_target=False),
        "goal": "" if rules.target is None else goal_beside(table.title, rules),
        "clock": describe_clock(table.clock),
        "pauses": pauses_in_words(table, rules),
        "parts": list(parts.items()),
    }


def _name_difference(sentence: Sentence, marks: dict[str, Mark]) -> str:
    """Return by what a sentence differs from the preset's: a house rule, else what the source allows, or the target.

    A sentence may differ by an option that it does not name; then any difference of the table may be the cause.
    """
    found = {marks[option] for option in sentence.options if option in marks} or {*marks.values()}
    if "house" in found:
        return _("house rule")
    return _("as the source allows") if "allowed" in found else _("another target")


def _invitation(table: Table, taken: dict[int, Sitting], user: Any, all_kept: bool) -> str:
    """Return who invites to what: *alice invites you to a match of All Fives. No account is needed.*

    `all_kept`: the free seats are kept for others.
    """
    if all_kept:
        return _("The free seats are kept for others.")
    people = [sitting.user.public_name for sitting in taken.values() if sitting.user is not None]
    if not people:
        return ""
    names = {"name": people[0], "game": table.title}
    if user.is_authenticated or table.rated:
        return _("%(name)s invites you to a match of %(game)s.") % names
    return _("%(name)s invites you to a match of %(game)s. No account is needed.") % names


def _count_seated(table: Table, taken: int) -> str:
    """Return the page's heading: *2 of 4 have sat down*, or the game once nobody can."""
    if not table.open:
        return table.title
    return capfirst(_("%(taken)d of %(seats)d have sat down") % {"taken": taken, "seats": table.seats})


def _count_others_here(taken: dict[int, Sitting]) -> int | None:
    """Return how many people are on the site beside those who sit here, or None if it is not known."""
    people, sitting = count_people_here(), sum(each.user_id is not None for each in taken.values())
    return None if people is None else max(0, people - sitting)


def _find_others(table: Table, user: User, *, any_game: bool) -> list[Elsewhere]:
    """Return where people wait for the same game otherwise and, with `any_game`, for others; the same game first."""
    now = timezone.now()
    joinable = list(seating.find_joinable(load_seeker(user, now), seating.load_tables()))
    same = [other for other in joinable if other.preset == table.preset]
    different = [other for other in joinable if any_game and other.preset != table.preset]
    asked = seating.quick_game_of(table)
    return [
        Elsewhere(
            other.code,
            f"{other.title}{seating.describe_shape(other, asked)}" if other in same else other.title,
            seating.quick_game_of(other).players,
            ", ".join(seating.list_people(other)),
        )
        for other in (*same, *different)
    ][:MAX_OTHER_GAMES]


def _describe_commitments(
    table: Table, seats: list[SeatCard], taken: dict[int, Sitting]
) -> list[tuple[str, str]]:
    """Return the name and commitment ("" for nothing) of each seat, once they are fixed."""
    if table.committed_at is None:
        return []
    in_order = sorted(seats, key=lambda card: card.position)
    return [(card.name or card.computer, taken[card.position].commitment or "") for card in in_order]


def pauses_in_words(table: Table, rules: Rules) -> list[str]:
    """Return the pauses that matter at this table, in words."""
    said = []
    if any(sitting.level for sitting in table.sittings.all()):
        said.append(_("pause of computers: %(pause)s") % {"pause": table.get_computer_pause_display()})
    if rules.claims == "muggins" and table.seats > 2:
        said.append(_("pause for “Muggins!”: %(pause)s") % {"pause": table.get_call_pause_display()})
    return said


def _reserved_seats(table: Table) -> dict[int, tuple[int | None, str]]:
    """Return the reserved seats of a challenge or rematch: (user id, name) by position."""
    if table.kept_for is not None:
        return {CHALLENGED_SEAT: (table.kept_for_id, table.kept_for.public_name)}
    if not table.rematch_of:
        return {}
    before = Seat.objects.filter(match__code=table.rematch_of)
    return {
        rotate_seat(position, table.seats): (user, label(name, is_bot=is_bot))
        for position, user, name, is_bot in before.values_list("position", "user", "name", "is_bot")
    }


def _name_partner(card: SeatCard, taken: dict[int, Sitting], mine: Sitting | None) -> SeatCard:
    """Return the card with *your partner*, or with *partner of alice* if nobody sits there yet."""
    partner = taken.get((card.position + 2) % 4)
    if partner is None or (card.position in taken and partner != mine):
        return card
    if partner == mine:
        return card._replace(partner=_("your partner"))
    person = partner.user
    name = person.public_name if person else persona_of(partner.level, partner.figure).name
    return card._replace(partner=_("partner of %(name)s") % {"name": name})


def _seat_card(
    position: int,
    side_mark: SafeString,
    sitting: Sitting | None,
    mine: Sitting | None,
    kept_for: str,
    free: bool,
) -> SeatCard:
    if sitting is None:
        return SeatCard(position, side_mark, "", "", None, "", False, False, kept_for, free)
    if sitting.user is None:
        name = f"{persona_of(sitting.level, sitting.figure).name}, {level_name(sitting.level)}"
        return SeatCard(position, side_mark, "", "", None, name, False, False, "", False)
    rating = "" if sitting.rating is None else str(display_rating(sitting.rating))
    person = sitting.user
    return SeatCard(
        position,
        side_mark,
        person.public_name,
        rating,
        sitting.completion,
        "",
        person.is_guest,
        sitting == mine,
        "",
        False,
        avatar=person.avatar,
    )
