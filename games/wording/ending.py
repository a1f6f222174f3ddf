"""Sentences about the ends of rounds and of the match (docs/rules.md)."""

from collections.abc import Iterator

from boneyard.engine.matches import MAX_ROUNDS
from boneyard.engine.tiles import NAMES

from .language_cache import gettext as _
from .language_cache import ngettext
from .scope import Scope, Sentence


def round_end(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of the end of a round, its winner and the bonus."""
    by_choice = scope.rules.pass_ != "stuck"
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
    if scope.both_out:
        text = _(
            "A round ends when both partners of a pair have played their last tile, or when it is blocked. Whoever is"
            " out before the partner is passed over."
        )
    else:
        text = _("A round ends when somebody plays their last tile, or when it is blocked.")
    yield Sentence(("partners_out",), text)
    if scope.rules.pass_ == "always" and scope.can_draw:
        yield Sentence(
            ("pass", "draw"), _("It is blocked when all have passed one after the other, and nobody drew.")
        )
    else:
        yield Sentence(("pass", "draw"), blocked[by_choice, scope.can_draw])
    yield Sentence(("out_bonus", "partner_pips"), _out(scope))
    yield from _block(scope)
    yield from _lone(scope)
    yield from _extras(scope)
    if scope.bonuses:
        yield from _units(scope)
    if scope.rules.team_difference and scope.in_pairs:
        text = _(
            "At the end of a round its points and bonuses are netted: only the pair that made more scores, and it"
            " scores the difference."
        )
        yield Sentence(("team_difference",), text)


def _out(scope: Scope) -> str:
    rule = scope.rules.out_bonus
    if rule == "none":
        return _("Going out brings no bonus.")
    if scope.rules.bonus_unit == "one":
        return _("Going out wins the round, which is worth one point whatever the pips.")
    if rule == "own":
        return _("Whoever goes out writes nothing; every other side writes the pips in its own hands.")
    if scope.partner_pays and rule == "opponents":
        return _(
            "Whoever goes out scores the pips left in the hands of the other pair. The pips in the partner's hand are"
            " then taken from the pair's score, which may fall below 0."
        )
    if scope.in_pairs:
        return {
            "opponents": _(
                "Whoever goes out scores the pips left in the hands of the other pair, less those in the partner's"
                " hand (but not less than 0)."
            ),
            "losers": _("Whoever goes out scores the pips left in the hands of the other pair."),
            "table": _("Whoever goes out scores the pips left in all hands, the partner's too."),
        }[rule]
    if scope.seats == 2:
        return _("Whoever goes out scores the pips left in the other hand.")
    return _("Whoever goes out scores the pips left in the other hands.")


def _block(scope: Scope) -> Iterator[Sentence]:
    if not scope.block_is_won:
        yield Sentence(("blocked_bonus",), _("A blocked round brings no bonus."))
        return
    yield Sentence(("blocked_bonus", "blocked_winner"), _block_winner(scope))
    yield Sentence(("blocked_tie",), _block_tie(scope))
    yield Sentence(("blocked_bonus",), _block_bonus(scope))


def _block_winner(scope: Scope) -> str:
    if scope.rules.blocked_winner == "closer":
        return (
            _(
                "A block is between whoever laid the last tile and the next seat: the lighter of these two hands"
                " wins it for its pair."
            )
            if scope.in_pairs
            else _(
                "A block is between whoever laid the last tile and the next seat: the lighter of these two hands wins."
            )
        )
    if not scope.in_pairs:
        return _("The lightest hand wins a block.")
    if scope.rules.blocked_winner == "hand":
        return _("The pair with the lightest single hand wins a block.")
    return _("The pair whose two hands together are lightest wins a block.")


def _block_tie(scope: Scope) -> str:
    carried = (
        _("If they are equally light, nobody wins, and the next round won is worth one more.")
        if scope.rules.unit_of_block == "one"
        else _(
            "If they are equally light, nobody writes anything yet: the pips of all hands are added to what the"
            " next losers write."
        )
        if scope.charged
        else _("If they are equally light, nobody wins, and the pips of all hands wait for the next winner.")
    )
    return {
        ("lightest_tile", False): _(
            "If hands are equally light, the one with the lightest tile wins; if these are equally light too, nobody."
        ),
        ("lightest_tile", True): _(
            "If the pairs are equally light, the one with the lightest tile wins; if these are equally light too,"
            " nobody."
        ),
        ("nobody", False): _("If hands are equally light, nobody wins."),
        ("nobody", True): _("If the pairs are equally light, nobody wins."),
        ("leader", False): _("If hands are equally light, the first of them from the leader on wins."),
        ("leader", True): _("If they are equally light, the pair that led the round wins."),
        ("closer", False): _(
            "If hands are equally light, whoever laid the last tile wins, or the first of them after."
        ),
        ("closer", True): _("If they are equally light, the pair that laid the last tile wins."),
        ("carry", False): carried,
        ("carry", True): carried,
    }[scope.rules.blocked_tie, scope.in_pairs]


def _block_bonus(scope: Scope) -> str:
    rule = scope.rules.blocked_bonus
    if rule != "none" and scope.rules.unit_of_block == "one":
        if scope.rules.bonus_unit == "one":
            return _("A block won is worth one point as well.")
        return _("A block won is worth one point, whatever the pips.")
    own = {
        "total": _("The winner scores the pips in the other hands."),
        "difference": _(
            "The winner scores the pips in the other hands, less those in the winning hand (but not less than 0)."
        ),
        "chain": _("If somebody wins, every hand scores, over each heavier one, the difference."),
        "table": _("The winner scores the pips in all hands, its own too."),
        "own": _("The winner writes nothing; every other hand writes its own pips."),
        "none": _("A blocked round brings no bonus."),
    }
    pairs = {
        "total": _("The winners score the pips in the hands of the other pair."),
        "difference": _("The winners score the pips by which the other pair is heavier."),
        "chain": _("The winners score the pips by which the other pair is heavier."),
        "table": _("The winners score the pips in all four hands, their own too."),
        "own": _("The winners write nothing; the other pair writes the pips in its two hands."),
        "none": _("A blocked round brings no bonus."),
    }
    return (pairs if scope.in_pairs else own)[rule]


def _extras(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of points beside the pips."""
    extras = scope.rules.extras
    for worth, text in (
        (
            extras.capicua,
            _(
                "Capicúa: going out with a tile that fits both ends brings %(n)s more. A double does not count."
            )
            if extras.capicua_blank
            else _(
                "Capicúa: going out with a tile that fits both ends brings %(n)s more. A double does not count, nor"
                " a blank."
            ),
        ),
        (extras.capicua_blank, _("Capicúa with a blank half brings %(n)s more.")),
        (extras.chucha, _("Chuchazo: going out with 0-0 brings %(n)s more.")),
        (extras.block, _("Winning a block brings %(n)s more.")),
    ):
        if worth:
            yield Sentence(("extras",), text % {"n": worth})
    if extras.rounds:
        first, *later = extras.rounds
        text = (
            _("The first round that somebody wins brings %(first)s more, the next ones %(later)s.")
            if later
            else _("The first round that somebody wins brings %(first)s more.")
        )
        yield Sentence(("extras",), text % {"first": first, "later": ", ".join(map(str, later))})


def _lone(scope: Scope) -> Iterator[Sentence]:
    for tile, worth in scope.rules.lone_pips:
        text = _("A hand that is %(tile)s alone counts %(n)s.")
        yield Sentence(("lone_pips",), text % {"tile": NAMES[tile], "n": worth})


def _units(scope: Scope) -> Iterator[Sentence]:
    rules = scope.rules
    unit = {
        "pips": "",
        "nearest_five": _("A bonus is rounded to the nearest multiple of five."),
        "fifths_nearest": _("A bonus is rounded to the nearest multiple of five and divided by five."),
        "fifths_up": _("A bonus is divided by five and rounded up."),
        "one": "",
    }[rules.bonus_unit]
    if unit:
        yield Sentence(("bonus_unit",), unit)
    if scope.partner_pays and rules.partner_pips == "score_unit" and rules.bonus_unit != "pips":
        yield Sentence(("partner_pips", "bonus_unit"), _("The partner's pips are put into the same measure."))
    if rules.unit_of_block != rules.bonus_unit and rules.blocked_bonus != "none":
        of_block = {
            "pips": _("A bonus for a block counts pip for pip."),
            "nearest_five": _("A bonus for a block is rounded to the nearest multiple of five."),
            "fifths_nearest": _(
                "A bonus for a block is rounded to the nearest multiple of five and divided by five."
            ),
            "fifths_up": _("A bonus for a block is divided by five and rounded up."),
            "one": "",
        }[rules.unit_of_block]
        if of_block:
            yield Sentence(("blocked_unit",), of_block)
    if scope.rules.bonus_ceiling is not None:
        text = _("A bonus lifts a score to %(n)s at the most, and never lowers it.")
        yield Sentence(("bonus_ceiling",), text % {"n": scope.rules.bonus_ceiling})


def match_end(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of the target, ties, leaving and the round limit."""
    target = {"n": scope.rules.target}
    if scope.rules.exact:
        text = _(
            "%(n)s must be hit exactly: points or a bonus that would carry a score past it are not scored at all."
        )
        yield Sentence(("exact", "target"), text % target)
        if scope.rules.past_target == "round":
            text = _(
                "A side that has been refused points so is given nothing more until the round has ended."
            )
            yield Sentence(("past_target",), text)
    if scope.rules.target is not None:
        yield Sentence(("target", "finish", "lowest_wins", "goal"), _target(scope) % target)
        yield from _tie(scope)
    yield from _leaving(scope)
    yield Sentence(("rounds",), _last_round(scope))


def _last_round(scope: Scope) -> str:
    """Return the rule of the last round."""
    rules = scope.rules
    if rules.target is None:
        text = (
            ngettext(
                "The match has %(n)s round: the lowest score wins, equal ones share it.",
                "The match has %(n)s rounds: the lowest score wins, equal ones share it.",
                rules.rounds or MAX_ROUNDS,
            )
            if rules.lowest_wins
            else ngettext(
                "The match has %(n)s round: the best score wins, equal ones share it.",
                "The match has %(n)s rounds: the best score wins, equal ones share it.",
                rules.rounds or MAX_ROUNDS,
            )
        )
    elif rules.lowest_wins:
        text = _("After round %(n)s the match ends anyway: the lowest score wins, equal ones share it.")
    else:
        text = _("After round %(n)s the match ends anyway: the best score wins, equal ones share it.")
    return text % {"n": rules.rounds or MAX_ROUNDS}


def _target(scope: Scope) -> str:
    extras = scope.rules.extras
    within_rounds = scope.rules.count != "none" or bool(
        scope.rules.out_points or extras.pass_lead or extras.pass_round
    )
    if scope.rules.goal == "exceed":
        return _target_exceeded(scope)
    if scope.charged:
        return _(
            "When a round ends and somebody has %(n)s or more, the lowest score wins and the highest is the goat."
        )
    if scope.rules.lowest_wins:
        return _("When a round ends and somebody has %(n)s or more, the lowest score wins.")
    if scope.rules.finish == "round_end":
        return _("When a round ends and somebody has %(n)s or more, the best score wins.")
    if not within_rounds:
        return _("The match ends with the round whose bonus brings somebody to %(n)s.")
    if not scope.bonuses:
        return _("The match ends the moment points bring somebody to %(n)s, even within a round.")
    return _(
        "The match ends the moment points bring somebody to %(n)s, even within a round and before any bonus; or with"
        " a round whose bonus does."
    )


def _target_exceeded(scope: Scope) -> str:
    if scope.rules.lowest_wins:
        return _("When a round ends and somebody has more than %(n)s, the lowest score wins.")
    if scope.rules.finish == "round_end":
        return _("When a round ends and somebody has more than %(n)s, the best score wins.")
    return _(
        "The match ends the moment points bring somebody to more than %(n)s, even within a round; or with a round whose"
        " bonus does."
    )


def _tie(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of ties: several sides can reach the target at the end of a round or by a chain of bonuses."""
    if scope.rules.finish == "at_once":
        if scope.rules.blocked_bonus == "chain":
            text = _(
                "If several reach it together, the best score wins; if the best are equal, one more round is played."
            )
            yield Sentence(("extra_rounds", "blocked_bonus"), text)
        return
    if scope.rules.extra_rounds == "players":
        text = ngettext(
            "If the best are equal, %(n)s more round is played, then the scores are looked at again.",
            "If the best are equal, %(n)s more rounds are played, then the scores are looked at again.",
            scope.seats,
        )
        yield Sentence(("extra_rounds",), text % {"n": scope.seats})
    else:
        text = _("If the best are equal, one more round is played, then the scores are looked at again.")
        yield Sentence(("extra_rounds",), text)


def _leaving(scope: Scope) -> Iterator[Sentence]:
    if scope.in_pairs:
        text = _(
            "If somebody resigns, runs out of time, or is away and the others claim the match, the other pair wins."
        )
    elif scope.sides == 2:
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
