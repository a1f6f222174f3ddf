"""The options of the deal and the lead in words (docs/rules.md, "Table, deal and lead")."""

from collections.abc import Iterator

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from boneyard.engine.tiles import NAMES

from .option_words import NO, OptionWords, Part, Value
from .scope import Scope, Sentence


def _hand_size(scope: Scope) -> Iterator[Sentence]:
    dealt = ngettext("Each hand is dealt %(n)s tile.", "Each hand is dealt %(n)s tiles.", scope.hand)
    yield Sentence(("hand_size", "players"), dealt % {"n": scope.hand})
    if scope.boneyard:
        left = ngettext(
            "The %(n)s tile that is left is the boneyard.",
            "The %(n)s tiles that are left are the boneyard.",
            scope.boneyard,
        )
        yield Sentence(("hand_size",), left % {"n": scope.boneyard})
    else:
        yield Sentence(("hand_size",), gettext("All tiles are dealt."))


def _limit(most: int | None, possible: int) -> int | None:
    """Return a limit of a deal, or None if no hand could have more."""
    return most if most is not None and most < possible else None


def _meaning_of_most_of_a_suit(most: int | None, scope: Scope) -> int | None:
    return _limit(most, min(scope.hand, scope.rules.set))


def _max_same_suit(scope: Scope) -> Iterator[Sentence]:
    most = _meaning_of_most_of_a_suit(scope.rules.max_same_suit, scope)
    if most is not None:
        text = gettext(
            "A deal in which a hand has more than %(n)s tiles of one suit, not counting its double, is shuffled again."
        )
        yield Sentence(("max_same_suit",), text % {"n": most})


def _same_suit_clause(most: int | None) -> str:
    if most is None:
        return gettext("no deal is shuffled again")
    return gettext("no hand is dealt more than %(n)s tiles of one suit") % {"n": most}


def _meaning_of_most_doubles(most: int | None, scope: Scope) -> int | None:
    return _limit(most, min(scope.hand, scope.rules.set + 1))


def _max_doubles(scope: Scope) -> Iterator[Sentence]:
    most = _meaning_of_most_doubles(scope.rules.max_doubles, scope)
    if most is not None:
        text = gettext("A deal in which a hand has more than %(n)s doubles is shuffled again.")
        yield Sentence(("max_doubles",), text % {"n": most})


def _doubles_clause(most: int | None) -> str:
    if most is None:
        return gettext("a hand may have any number of doubles")
    return gettext("no hand is dealt more than %(n)s doubles") % {"n": most}


def _asleep(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.asleep is not None and scope.boneyard:
        text = gettext("%(tile)s is left out: it stays face down, and nobody is dealt it.")
        yield Sentence(("asleep",), text % {"tile": NAMES[scope.rules.asleep]})


def _asleep_clause(tile: str | None) -> str:
    return gettext("%(tile)s is left out") % {"tile": tile} if tile else gettext("no tile is left out")


DEAL: Part = {
    "set": OptionWords(
        _("Set"),
        values={
            6: Value(
                _("double-six"),
                _("the set is the double-six"),
                pgettext_lazy("house rule", "double-six"),
                _("The set is the double-six: 28 tiles."),
            ),
            9: Value(
                _("double-nine"),
                _("the set is the double-nine"),
                pgettext_lazy("house rule", "double-nine"),
                _("The set is the double-nine: 55 tiles."),
            ),
            12: Value(
                _("double-twelve"),
                _("the set is the double-twelve"),
                pgettext_lazy("house rule", "double-twelve"),
                _("The set is the double-twelve: 91 tiles."),
            ),
        },
    ),
    "players": OptionWords(
        _("Players"),
        applies=lambda scope: False,  # follows from the seats
    ),
    "partners": OptionWords(
        _("Four seats play in pairs"),
        four_seats=True,
        values={
            True: Value(
                _("yes"),
                _("in pairs"),
                pgettext_lazy("house rule", "in pairs"),
                _("Those who sit opposite are partners and share one score."),
            ),
            False: Value(NO, _("each for themselves"), rule=_("Each of the four plays alone.")),
        },
        applies=lambda scope: scope.seats == 4,
    ),
    "hand_size": OptionWords(
        _("Tiles in a hand"),
        sentences=_hand_size,
        clause=lambda n: (
            ngettext("each hand is dealt %(n)s tile", "each hand is dealt %(n)s tiles", n) % {"n": n}
        ),
        refusals={"too_many_tiles": _("the hands do not fit the set")},
    ),
    "max_same_suit": OptionWords(
        _("Most tiles of one suit in a hand"),
        sentences=_max_same_suit,
        clause=_same_suit_clause,
        meaning=_meaning_of_most_of_a_suit,
        refusals={"hands_too_large": _("not with hands of more than nine tiles")},
    ),
    "max_doubles": OptionWords(
        _("Most doubles in a hand"),
        sentences=_max_doubles,
        clause=_doubles_clause,
        meaning=_meaning_of_most_doubles,
        refusals={"average_hand_has_more": _("an average hand has more doubles, so a deal might never come")},
    ),
    "asleep": OptionWords(
        _("Tile that is not dealt"),
        sentences=_asleep,
        clause=_asleep_clause,
        chip=_asleep_clause,
        applies=lambda scope: scope.boneyard > 0,
        refusals={
            "leads": _("this tile is to lead"),
            "may_be_drawn": _("only where nobody draws and a tile is never drawn"),
        },
    ),
}


def _first_lead(scope: Scope) -> Iterator[Sentence]:
    tile = NAMES[scope.rules.lead_tile] if scope.rules.lead_tile is not None else ""
    option = ("first_lead", "lead_tile") if tile else ("first_lead",)
    if scope.rules.first_lead == "lot":
        text = gettext(
            "For the lead of the first round each seat draws a tile as its lot. The heaviest leads; of equally heavy"
            " ones that with the higher half. The lots go back before the deal."
        )
    elif scope.rules.first_lead == "highest_double":
        text = gettext("The holder of the highest double leads the first round.")
    elif scope.rules.first_lead == "lowest_double":
        text = gettext("The holder of the lowest double leads the first round.")
    elif scope.rules.first_lead == "double_from_1":
        text = gettext(
            "The holder of 1-1 leads the first round; if nobody has it, of 2-2 and so on upwards, and of 0-0 last of"
            " all."
        )
    else:
        text = gettext("The holder of %(tile)s leads the first round.") % {"tile": tile}
    yield Sentence(option, text)
    if scope.rules.first_lead in ("highest_double", "double_from_1") and scope.may_lack_doubles:
        text = gettext(
            "If no hand has a double, the holder of the heaviest tile leads; of equally heavy ones that with the"
            " higher half."
        )
        yield Sentence(option, text)
    elif scope.rules.first_lead == "lowest_double" and scope.may_lack_doubles:
        text = gettext(
            "If no hand has a double, the holder of the lightest tile leads; of equally light ones that with the"
            " lower high half."
        )
        yield Sentence(option, text)


def _lead_draws(scope: Scope) -> Iterator[Sentence]:
    kept_out = int(scope.rules.asleep is not None)  # the lead is another tile
    if scope.rules.first_lead != "tile" or scope.boneyard <= kept_out:
        return
    option = ("first_lead", "lead_tile")
    if not scope.draws_for_lead:
        yield Sentence(option, gettext("If nobody holds it, the first seat leads any tile."))
        return
    text = gettext("If nobody holds it, the seats draw a tile each in turn until somebody has it.")
    yield Sentence(option, text)
    if scope.rules.lead_draws == "all":
        text = gettext(
            "Such draws may take the whole boneyard; while there is a tile for every seat, each draws before the hands"
            " are looked at."
        )
        yield Sentence(("first_lead", "lead_draws"), text)
        return
    if scope.reserve:
        text = ngettext(
            "A turn of such draws is made only if it leaves at least %(n)s tile in the boneyard.",
            "A turn of such draws is made only if it leaves at least %(n)s tiles in the boneyard.",
            scope.reserve,
        )
        yield Sentence(("first_lead", "reserve"), text % {"n": scope.reserve})
    else:
        yield Sentence(
            option, gettext("A turn of such draws is made only if there is a tile for every seat.")
        )
    yield Sentence(option, gettext("If nobody has it then, the first seat leads any tile."))


def _lead_with(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.lead_with == "any":
        yield Sentence(("lead_with",), gettext("Any tile may be led."))
    elif scope.rules.lead_with == "scoring":
        text = gettext(
            "A tile whose pips score (5, 10 and so on) must be led; a hand without one leads any tile."
        )
        yield Sentence(("lead_with",), text)
    else:
        always = scope.rules.next_lead == scope.rules.next_lead_after_block == "first"
        yield Sentence(
            ("lead_with",),
            gettext("The tile that won the lead must be led.")
            if always
            else gettext(
                "Where a tile has won the lead, it must be led; in other rounds any tile may be led."
            ),
        )
        if scope.sides > 2:
            text = gettext("If its holder leaves the match before that, the next seat leads any tile.")
            yield Sentence(("lead_with",), text)


def _next_lead(scope: Scope) -> Iterator[Sentence]:
    after_out, after_block = scope.rules.next_lead, scope.rules.next_lead_after_block
    both = ("next_lead", "next_lead_after_block")
    if after_out == after_block == "first":
        yield Sentence(both, gettext("The lead of each later round is found in the same way."))
        return
    if after_out == after_block == "rotate":
        yield Sentence(both, gettext("Each later round is led by the seat after the one that led before."))
        return
    out = {
        "winner": gettext("Whoever went out leads the next round."),
        "first": gettext("After somebody went out, the next lead is found as in the first round."),
        "rotate": gettext("After somebody went out, the seat after the one that led leads the next round."),
    }
    blocked = {
        "winner": gettext(
            "The winner of a blocked round leads the next; if nobody won it, the lead is found as in the first round."
        ),
        "first": gettext("After a blocked round the lead is found as in the first round."),
        "rotate": gettext("After a blocked round the seat after the one that led leads the next."),
    }
    yield Sentence(("next_lead",), out[after_out])
    yield Sentence(("next_lead_after_block",), blocked[after_block])
    if scope.in_pairs and after_block == "winner":
        text = (
            gettext("Of the pair that won a blocked round the one whose hand was compared leads.")
            if scope.rules.blocked_winner == "closer"
            else gettext(
                "Of the pair that won a blocked round the one with the lighter hand leads; of equally light ones the"
                " one who sits first."
            )
        )
        yield Sentence(("next_lead_after_block", "partners"), text)


LEAD: Part = {
    "first_lead": OptionWords(
        _("Who leads first"),
        sentences=_first_lead,
        values={
            "lot": Value(_("by lot"), _("the first lead is drawn by lot")),
            "highest_double": Value(_("the highest double"), _("the highest double leads first")),
            "lowest_double": Value(_("the lowest double"), _("the lowest double leads first")),
            "double_from_1": Value(
                _("1-1, else 2-2 and so on, 0-0 last"), _("1-1 leads first, else 2-2 and so on, 0-0 last")
            ),
            "tile": Value(_("a named tile"), ""),  # the clause is that of `lead_tile`
        },
    ),
    "lead_tile": OptionWords(
        _("The tile that leads"),
        clause=lambda tile: gettext("%(tile)s leads first") % {"tile": tile},
        applies=lambda scope: scope.rules.first_lead == "tile",
        refusals={"missing_lead_tile": _("name the tile that leads")},
    ),
    "lead_draws": OptionWords(
        _("Draws for the tile that leads"),
        sentences=_lead_draws,
        values={
            "reserve": Value(
                _("as far as the reserve allows"), _("the draws for the lead leave the reserve")
            ),
            "all": Value(_("until it is found"), _("one draws for the lead until the tile is found")),
        },
        applies=lambda scope: scope.rules.first_lead == "tile" and scope.boneyard > 0,
    ),
    "lead_with": OptionWords(
        _("What may be led"),
        sentences=_lead_with,
        values={
            "any": Value(_("any tile"), _("any tile may be led")),
            "named": Value(_("only the tile that won the lead"), _("the tile that won the lead must be led")),
            "scoring": Value(_("a tile that scores"), _("a tile that scores must be led")),
        },
        refusals={"named_by_lot": _("a lead drawn by lot names no tile")},
    ),
    "next_lead": OptionWords(
        _("Who leads later rounds"),
        sentences=_next_lead,
        values={
            "winner": Value(_("the winner of the round"), _("whoever went out leads next")),
            "first": Value(_("as in the first round"), _("each lead is found like the first")),
            "rotate": Value(_("the next seat"), _("the lead goes round")),
        },
    ),
    "next_lead_after_block": OptionWords(
        _("Who leads after a block"),
        values={
            "winner": Value(_("the winner of the round"), _("the winner of a block leads next")),
            "first": Value(_("as in the first round"), _("after a block the lead is found like the first")),
            "rotate": Value(_("the next seat"), _("after a block the lead goes round")),
        },
    ),
}
