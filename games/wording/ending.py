"""The ends of rounds and of the match in words (docs/rules.md: the end of a round, the end of the match)."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.matches import LAST_ROUND

from .scope import Scope, Sentence


def round_end(at: Scope) -> Iterator[Sentence]:
    """When a round ends, who wins it, and the bonus."""
    by_choice = at.rules.pass_ == "free"  # noqa: S105 - no password
    blocked = {
        (False, False): _("It is blocked as soon as nobody holds a tile that fits."),
        (False, True): _("It is blocked as soon as nobody holds a tile that fits and none can be drawn."),
        (True, False): _(
            "It is blocked as soon as nobody holds a tile that fits, or when all have passed one after the other."
        ),
        (True, True): _(
            "It is blocked as soon as no tile can be drawn and nobody holds one that fits, or when all have passed"
            " one after the other."
        ),
    }
    yield Sentence((), _("A round ends when somebody plays their last tile, or when it is blocked."))
    yield Sentence(("pass", "draw"), blocked[by_choice, at.can_draw])
    yield Sentence(("out_bonus",), _out(at))
    yield from _block(at)
    if at.bonuses:
        yield from _units(at)
    if at.rules.team_difference and at.in_pairs:
        text = _(
            "At the end of a round its points and bonuses are netted: only the pair that made more scores, and it"
            " scores the difference."
        )
        yield Sentence(("team_difference",), text)


def _out(at: Scope) -> str:
    if at.rules.out_bonus == "none":
        return _("Going out brings no bonus.")
    if at.in_pairs:
        return _(
            "Whoever goes out scores the pips left in the hands of the other pair, less those in the partner's hand"
            " (but not less than 0)."
        )
    if at.seats == 2:
        return _("Whoever goes out scores the pips left in the other hand.")
    return _("Whoever goes out scores the pips left in the other hands.")


def _block(at: Scope) -> Iterator[Sentence]:
    if not at.block_is_won:
        yield Sentence(("blocked_bonus",), _("A blocked round brings no bonus."))
        return
    if at.in_pairs:
        yield Sentence(("blocked_bonus",), _("The pair whose two hands together are lightest wins a block."))
    else:
        yield Sentence(("blocked_bonus",), _("The lightest hand wins a block."))
    tie = {
        ("lightest_tile", False): _(
            "If hands are equally light, the one with the lightest tile wins; if these are equally light too, nobody."
        ),
        ("lightest_tile", True): _(
            "If the pairs are equally light, the one with the lightest tile wins; if these are equally light too,"
            " nobody."
        ),
        ("nobody", False): _("If hands are equally light, nobody wins."),
        ("nobody", True): _("If the pairs are equally light, nobody wins."),
    }
    yield Sentence(("blocked_tie",), tie[at.rules.blocked_tie, at.in_pairs])
    yield Sentence(("blocked_bonus",), _block_bonus(at))


def _block_bonus(at: Scope) -> str:
    own = {
        "total": _("The winner scores the pips in the other hands."),
        "difference": _(
            "The winner scores the pips in the other hands, less those in the winning hand (but not less than 0)."
        ),
        "chain": _("If somebody wins, every hand scores, over each heavier one, the difference."),
        "none": _("A blocked round brings no bonus."),
    }
    pairs = {
        "total": _("The winners score the pips in the hands of the other pair."),
        "difference": _("The winners score the pips by which the other pair is heavier."),
        "chain": _("The winners score the pips by which the other pair is heavier."),
        "none": _("A blocked round brings no bonus."),
    }
    return (pairs if at.in_pairs else own)[at.rules.blocked_bonus]


def _units(at: Scope) -> Iterator[Sentence]:
    unit = {
        "pips": "",
        "nearest_five": _("A bonus is rounded to the nearest multiple of five."),
        "fifths_nearest": _("A bonus is rounded to the nearest multiple of five and divided by five."),
        "fifths_up": _("A bonus is divided by five and rounded up."),
    }[at.rules.bonus_unit]
    if unit:
        yield Sentence(("bonus_unit",), unit)
    if at.rules.bonus_ceiling is not None:
        text = _("A bonus lifts a score to %(n)s at the most, and never lowers it.")
        yield Sentence(("bonus_ceiling",), text % {"n": at.rules.bonus_ceiling})


def match_end(at: Scope) -> Iterator[Sentence]:
    """The target, ties at it, leaving, and the last round of all."""
    target = {"n": at.rules.target}
    if at.rules.exact:
        text = _(
            "%(n)s must be hit exactly: points or a bonus that would carry a score past it are not scored at all."
        )
        yield Sentence(("exact", "target"), text % target)
    yield Sentence(("target", "finish", "lowest_wins"), _target(at) % target)
    yield from _tie(at)
    yield from _leaving(at)
    last = (
        _("After round %(n)s the match ends anyway: the lowest score wins, equal ones share it.")
        if at.rules.lowest_wins
        else _("After round %(n)s the match ends anyway: the best score wins, equal ones share it.")
    )
    yield Sentence((), last % {"n": LAST_ROUND})


def _target(at: Scope) -> str:
    within_rounds = at.rules.count != "none" or at.rules.out_points > 0
    if at.rules.lowest_wins:
        return _("When a round ends and somebody has %(n)s or more, the lowest score wins.")
    if at.rules.finish == "round_end":
        return _("When a round ends and somebody has %(n)s or more, the best score wins.")
    if not within_rounds:
        return _("The match ends with the round whose bonus brings somebody to %(n)s.")
    if not at.bonuses:
        return _("The match ends the moment points bring somebody to %(n)s, even within a round.")
    return _(
        "The match ends the moment points bring somebody to %(n)s, even within a round and before any bonus; or with"
        " a round whose bonus does."
    )


def _tie(at: Scope) -> Iterator[Sentence]:
    """Several may reach the target together at the end of a round, or by a chain of bonuses."""
    if at.rules.finish == "at_once":
        if at.rules.blocked_bonus == "chain":
            text = _(
                "If several reach it together, the best score wins; if the best are equal, one more round is played."
            )
            yield Sentence(("extra_rounds", "blocked_bonus"), text)
        return
    if at.rules.extra_rounds == "players":
        text = ngettext(
            "If the best are equal, %(n)s more round is played, then the scores are looked at again.",
            "If the best are equal, %(n)s more rounds are played, then the scores are looked at again.",
            at.seats,
        )
        yield Sentence(("extra_rounds",), text % {"n": at.seats})
    else:
        text = _("If the best are equal, one more round is played, then the scores are looked at again.")
        yield Sentence(("extra_rounds",), text)


def _leaving(at: Scope) -> Iterator[Sentence]:
    if at.in_pairs:
        text = _(
            "If somebody resigns, runs out of time, or is away and the others claim the match, the other pair wins."
        )
    elif at.sides == 2:
        text = _(
            "Whoever resigns, runs out of time, or is away while the other claims the match, loses the match at once."
        )
    else:
        text = _(
            "Whoever resigns, runs out of time, or is away while the others claim the seat, can no longer win and is"
            " passed over. Their tiles stay out of play and count as their hand. The last one left wins."
        )
    yield Sentence((), text)
    yield Sentence((), _("Before their own first play anybody may call the match off; then nobody wins."))
