"""What covers the table between rounds and after the match: hands open, bonus, score, what comes next."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.figures import shown, signed
from accounts.ratings import gave_nothing
from games import pace, wording
from games.drawing.marks import mark
from games.drawing.tiles import hand_tile
from games.engine.matches import Result
from games.engine.perspective import View
from games.engine.round_ends import EndedRound
from games.engine.terms import Terms
from games.engine.tiles import NAMES
from games.models import Match, Seat
from games.scores import points_ahead
from games.table.parts import Part, element, read
from games.table.plates import corner_of


class OpenHand(NamedTuple):
    """What a seat had left when the round ended, and where it lies open."""

    name: str
    corner: int
    mark: SafeString
    tiles: tuple[tuple[str, SafeString], ...]
    pips: str


class SideScore(NamedTuple):
    """A side's score: what the round or its bonus gave, and what it is now."""

    mark: SafeString
    names: str
    gained: int
    score: int
    mine: bool
    won: bool


class RoundPanel(NamedTuple):
    """How a round ended. `extras`: the points beside the pips, as they are called out; `sum` makes the bonus; `until`
    when the pause ends, and `ready` who has continued."""

    number: int
    title: str
    extras: str
    bonus: str
    sum: str
    hands: tuple[OpenHand, ...]
    side_scores: tuple[SideScore, ...]
    lead: str
    until: datetime | None
    ready: str


class MatchPanel(NamedTuple):
    """How the match ended. `rating` is the viewer's own, before and after; `annulled` says that none of it counts."""

    title: str
    about: str
    side_scores: tuple[SideScore, ...]
    rating: tuple[int, int, str] | None
    annulled: str


def round_panel(match: Match, view: View, seats: Sequence[Seat], lead: str) -> RoundPanel:
    """The panel of the latest finished round; there must be one. `lead` says who leads the next."""
    ended, speech = view.ended[-1], wording.speech_of(match.preset)
    names = [seat.shown_name for seat in seats]
    hands = tuple(
        OpenHand(
            names[seat],
            corner_of(match.preset, seat, view.seat or 0, view.seats),
            mark(view.terms.side_of[seat]),
            tuple((NAMES[tile], hand_tile(tile)) for tile in held),
            ngettext("%(n)d pip", "%(n)d pips", pips) % {"n": pips},
        )
        for seat, (held, pips) in enumerate(zip(ended.remaining, ended.end.pips, strict=True))
    )
    before = view.ended[-2].scores if len(view.ended) > 1 else (0,) * len(ended.scores)
    gained = [now - was for now, was in zip(ended.scores, before, strict=True)]
    return RoundPanel(
        ended.number,
        wording.round_end(ended.end, names, view.rules, speech),
        wording.extras_called(ended.end),
        _bonus(view, ended, names, speech),
        wording.bonus_sum(ended.end, view.terms),
        hands,
        side_scores(view, names, gained, ended.scores),
        lead,
        match.pause_until,
        _ready(seats, len(view.ended)),
    )


def _ready(seats: Sequence[Seat], rounds: int) -> str:
    names = [seat.shown_name for seat in seats if not seat.computer and seat.continued_round >= rounds]
    if not names:
        return ""
    return ngettext("%(names)s is ready", "%(names)s are ready", len(names)) % {"names": ", ".join(names)}


def round_result(
    ended: EndedRound, terms: Terms, names: Sequence[str], speech: wording.Speech
) -> tuple[Part, ...]:
    """Who ended a round and what it gave, for the bar of a phone: as the newest move is shown there."""
    side = terms.side_of[ended.end.winner] if ended.end.winner is not None else None
    gained = ended.end.bonus[side] if side is not None else 0
    words = format_html(
        "{} {}",
        wording.round_end(ended.end, names, terms.rules, speech),
        format_html('<span class="points">+{}</span>', gained) if gained else "",
    )
    drawn = element("newest-mark", "i", "", "") if side is None else read(mark(side, "newest-mark"))
    return drawn, element("newest", "span", "", words)


def side_scores(
    view: View, names: Sequence[str], gained: Sequence[int], scores: Sequence[int]
) -> tuple[SideScore, ...]:
    """A line for each side."""
    won = view.result.winners if view.result else ()
    return tuple(
        SideScore(mark(side), name, gained[side], scores[side], view.seat in seats, side in won)
        for side, (seats, name) in enumerate(
            zip(view.sides, wording.side_names(view.sides, names), strict=True)
        )
    )


def _bonus(view: View, ended: EndedRound, names: Sequence[str], speech: wording.Speech) -> str:
    given = wording.bonuses(ended.end, view.sides, names, view.rules)
    if given:
        return given if view.rules.lowest_wins else _("Bonus: %(given)s.") % {"given": given}
    if ended.end.how == "stopped":
        return ""
    with speech.at_home():
        return wording.no_bonus(ended.end, view.terms)


def match_panel(match: Match, view: View, result: Result, seats: Sequence[Seat]) -> MatchPanel:
    """The panel of a match that ended with `result`."""
    names = [seat.shown_name for seat in seats]
    mine = seats[view.seat] if view.seat is not None else None
    return MatchPanel(
        _headline(view, result, names),
        " ".join(
            filter(
                None,
                [
                    _why(view, names),
                    _as_called(match, view, result, names),
                    _about(match, view),
                    _capped(match, mine),
                    pace.told(mine.user)
                    if mine is not None and mine.user is not None and mine.slow_turns
                    else "",
                ],
            )
        ),
        side_scores(view, names, [0] * len(view.scores), view.scores),
        _rating(mine) if mine is not None and not match.annulled_at else None,
        annulled(match),
    )


def annulled(match: Match) -> str:
    """That a match counts for nothing, and since when; "" of one that counts."""
    if match.annulled_at is None:
        return ""
    day = date_format(match.annulled_at, "DATE_FORMAT")
    return _("Annulled on %(day)s by the moderators: it counts for nothing.") % {"day": day}


def _headline(view: View, result: Result, names: Sequence[str]) -> str:
    sides = wording.side_names(view.sides, names)
    if result.how == "aborted":
        return _("The match was called off")
    if len(result.winners) != 1:
        return _("Drawn: %(names)s share the best score") % {
            "names": ", ".join(sides[s] for s in result.winners)
        }
    winner = result.winners[0]
    mine = view.seat in view.sides[winner]
    beaten = not mine and view.seat is not None and len(view.sides) == 2
    ahead = points_ahead(view.rules, result.scores, winner)
    if result.how in ("target", "rounds") and ahead > 0:
        if mine:
            return _("You won by %(n)d") % {"n": ahead}
        if beaten:
            return _("You lost by %(n)d") % {"n": ahead}
        return ngettext("%(names)s wins by %(n)d", "%(names)s win by %(n)d", len(view.sides[winner])) % {
            "names": sides[winner],
            "n": ahead,
        }
    if mine:
        return _("You won")
    if beaten:
        return _("You lost")
    return ngettext("%(names)s wins", "%(names)s win", len(view.sides[winner])) % {"names": sides[winner]}


def _as_called(match: Match, view: View, result: Result, names: Sequence[str]) -> str:
    """What the players of this game say to such an end: *Six love!*, who is the goat; "" mostly."""
    if result.how != "target":
        return ""
    speech = wording.speech_of(match.preset)
    sides = list(zip(wording.side_names(view.sides, names), result.scores, strict=True))
    if view.rules.lowest_wins:
        most = max(result.scores)
        losers = ", ".join(name for name, score in sides if score == most)
        return speech.goat % {"names": losers} if speech.goat else ""
    to_nil = all(not score for side, (_name, score) in enumerate(sides) if side not in result.winners)
    return speech.to_nil if to_nil and len(result.winners) < len(sides) else ""


def _about(match: Match, view: View) -> str:
    rounds = ngettext("%(n)d round", "%(n)d rounds", len(view.ended)) % {"n": len(view.ended)}
    game = wording.game_title(match.preset, match.rules, view.seats)
    return f"{game}. {rounds}, {_lasted(match.end - match.started_at)}."


def _lasted(time: timedelta) -> str:
    minutes = int(time.total_seconds() // 60)
    if minutes < 1:
        return _("under a minute")
    if minutes < 120:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    return _("%(time)s hours") % {"time": f"{minutes // 60}:{minutes % 60:02d}"}


def _rating(seat: Seat) -> tuple[int, int, str] | None:
    if seat.rating_after is None or seat.rating_before is None:
        return None
    before, after = shown(seat.rating_before), shown(seat.rating_after)
    return before, after, signed(after - before)


def _capped(match: Match, mine: Seat | None) -> str:
    """Why a rated match that was won gave nothing; "" of any other."""
    if mine is None or mine.user is None or not mine.won:
        return ""
    if mine.rating_before is None or mine.rating_before != mine.rating_after:
        return ""
    if not gave_nothing(mine.user.pk, match.code):
        return ""
    return _("No points: in thirty days you have gained the hundred that new accounts may give.")


def _why(view: View, names: Sequence[str]) -> str:
    """Who left and how, if that ended the match."""
    log = view.ended[-1].log if view.ended else ()
    word = {
        "resign": _("%(name)s resigned."),
        "time": _("%(name)s ran out of time."),
        "left": _("%(name)s left."),
        "abort": _("%(name)s called it off."),
    }
    last = log[-1] if log else None
    return word[last.move.kind] % {"name": names[last.seat]} if last and last.move.kind in word else ""
