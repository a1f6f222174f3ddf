"""Texts of a rules page: summary, glossary, other names and clarifications."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from boneyard.engine.presets import PRESETS, Preset
from boneyard.engine.rules import Rules

from .doubts import doubts_of
from .scope import Scope, scope_of
from .speech import Speech, extra_word

# Names that players use for a game. Proper names, not translated.
_OTHER_NAMES = {
    "all-fives": "Muggins, Sniff",
    "gomuggins": "Telefon, Телефон",
    "fives-and-threes-league": "5s and 3s",
    "dominican": "dominó, dominó dominicano",
    "puerto-rico-500": "Quinientos",
    "puerto-rico-200": "Doscientos",
    "pairs-international": "dominó internacional, dominó mexicano, dominó colombiano",
    "latin-individual": "dominó, dominó individual",
    "pairs-spain": "dominó",
    "venezuelan": "dominó venezolano",
    "brazilian-pairs": "dominó de duplas",
    "cuban": "dominó cubano, doble nueve",
    "jamaican-partner": "Partner",
    "jamaican-cutthroat": "Cut-throat",
    "six-love-partner": "Partner, six love",
    "six-love-cutthroat": "Cut-throat, six love",
    "kozel": "Козёл",
    "kozel-pairs": "Козёл",
    "sea-kozel": "Морской козёл",
    "gaple": "Gaplek, Gaplé",
    "bones": "Bones",
    "bones-pairs": "Bones",
    "big-six": "Big Six",
    "merry-go-round": "Merry-Go-Round",
}


class Clarification(NamedTuple):
    question: str
    answer: str


class Word(NamedTuple):
    word: str
    meaning: str


def other_names(preset: Preset, title: str) -> str:
    """Return the other names of a game that its title does not contain."""
    names = _OTHER_NAMES.get(preset.id, "").split(", ")
    return ", ".join(name for name in names if name.lower() not in title.lower())


def summarize(rules: Rules, seats: int) -> tuple[str, str]:
    """Return two sentences: how the game is scored, and what is special about it."""
    scope = scope_of(rules, seats)
    return _scoring_sentence(scope), _special_sentence(scope)


def _scoring_sentence(scope: Scope) -> str:
    rules, target = scope.rules, {"target": scope.rules.target}
    if rules.count == "none" and rules.target is None:
        return _("Match the ends and go out first: what is left in hands decides.")
    if scope.charged:
        text = _(
            "Match the ends and get rid of your tiles: whoever is caught with tiles writes down their pips, and whoever"
            " first has %(target)s is the goat."
        )
        return text % target
    if rules.reset != "none" and rules.bonus_unit == "one":
        return _run_sentence(scope) % target
    if rules.count == "none" and rules.bonus_unit == "one":
        text = _(
            "Match the ends and go out first: every round won is worth one point, and the first to %(target)s wins."
        )
        return text % target
    if rules.count == "none" and rules.goal == "exceed":
        text = _(
            "Match the ends and go out first: what is left in hands is yours, and the first past %(target)s wins."
        )
        return text % target
    return {
        "none": _(
            "Match the ends and go out first: what is left in hands is yours, and the first to %(target)s wins."
        ),
        "fives": _(
            "Match the ends as in any domino game, but whenever the open ends add up to a multiple of five, you score"
            " that sum."
        ),
        "fives_by_one": _(
            "Match the ends as in any domino game, but whenever the open ends add up to a multiple of five, you score"
            " a point for each five in it."
        ),
        "fives_threes": _(
            "Match the ends as in any domino game, but whenever the open ends add up to a multiple of five or of three,"
            " you score a point for each five and each three in it."
        ),
        "matching": _(
            "Match the ends as in any domino game, but whenever both ends show the same number, you score two points,"
            " or three with a double among them."
        ),
    }[rules.count] % target


def _run_sentence(scope: Scope) -> str:
    """Return how a match is won whose scores go back to 0."""
    if scope.sides == 2:
        return _("Match the ends and go out first: %(target)s rounds won in a row win the match.")
    return _(
        "Match the ends and go out first: %(target)s rounds win the match while somebody has not won a single one."
    )


def _special_sentence(scope: Scope) -> str:
    return next(text for holds, text in _special_features(scope) if holds)


def _special_features(scope: Scope) -> Iterator[tuple[bool, str]]:
    """Yield (applies, sentence) by importance; the last one always applies."""
    rules, extras = scope.rules, scope.rules.extras
    opening = rules.opening.points if rules.opening else 0
    yield (
        rules.two_doubles,
        _("Two doubles may go down in one turn, and a tied block is kept for the next losers."),
    )
    yield (
        rules.many_ends,
        _("Several tiles may go down in one turn, each at another end, if together they score."),
    )
    yield rules.spinner == "every", _("Every double branches, so that the line grows into a tree.")
    yield (
        rules.spinner == "cross",
        _("The round opens with a cross: a double whose four sides must be covered first."),
    )
    yield (
        bool(extras.rounds),
        _(
            "The first rounds won bring a prize, and so does going out in style: with a capicúa, or with the double"
            " blank."
        ),
    )
    yield (
        bool(extras.pass_round),
        _(
            "Making everybody pass brings points at once, and so does going out with a tile that fits both ends."
        ),
    )
    yield (
        rules.claims == "muggins",
        _("You have to say what your play is worth: what you overlook, the others may call for themselves."),
    )
    yield (
        bool(extras.capicua_double),
        _("How you go out decides what it is worth: a double brings more, a tile for both ends still more."),
    )
    yield (
        rules.reset != "none",
        _("When the last side without a round wins one, all begin again from nothing."),
    )
    yield rules.blocked_tie == "carry", _("A tied block is not lost: it waits for the next winner.")
    yield bool(opening), _("You need %(n)s at once to get in.") % {"n": opening}
    yield rules.exact, _("The target has to be hit exactly: what would pass it does not count.")
    yield rules.lead_with == "scoring", _("The lead has to score, too, if it can.")
    yield (
        rules.spinner in ("first", "first_enclosed", "first_open"),
        _("The first double is the spinner: it can be played on all four sides."),
    )
    yield rules.draw == "free", _("You may draw as many tiles as you like before you play.")
    yield (
        scope.rules.set > 6 and scope.boneyard > 0 and not scope.can_draw,
        _("Many tiles sleep, so that nobody can be sure."),
    )
    yield (
        scope.in_pairs,
        _("You sit opposite your partner and share one score, and every pass tells all what you lack."),
    )
    yield scope.can_draw, _("If nothing fits, you draw until something does.")
    yield True, _("Nobody draws: whoever has nothing that fits passes, and the passes tell what they lack.")


def glossary(rules: Rules, seats: int, speech: Speech) -> list[Word]:
    """Return the terms that players of this game use, with their meanings."""
    scope, extras = scope_of(rules, seats), rules.extras
    entries = (
        (True, pgettext("word", "end"), _("where a tile may be laid")),
        (True, pgettext("word", "lead"), _("the first tile of a round")),
        (rules.spinner not in ("none", "every"), pgettext("word", "spinner"), _("the double that branches")),
        (scope.boneyard > 0, pgettext("word", "boneyard"), _("the tiles that are not dealt")),
        (rules.adds_ends, pgettext("word", "count"), _("the sum of the open ends")),
        (True, speech.blocked.lower(), _("nobody can play any more")),
        (scope.charged, pgettext("word", "tie"), _("a block with equal hands")),
        (rules.two_doubles, pgettext("word", "both doubles"), _("two doubles laid in one turn")),
        (scope.charged, pgettext("word", "the goat"), _("whoever loses the match")),
        (bool(extras.capicua), extra_word("capicua").lower(), _("going out with a tile that fits both ends")),
        (
            bool(extras.capicua_double),
            extra_word("capicua_double").lower(),
            _("going out with a double that both ends show"),
        ),
        (bool(extras.chucha), extra_word("chucha").lower(), _("going out with 0-0")),
        (bool(extras.pass_lead), extra_word("pass_lead").lower(), _("the seat after the leader passes")),
        (bool(extras.pass_round), extra_word("pass_round").lower(), _("all the others pass")),
        (not rules.lowest_wins, speech.to_nil.strip("¡!").lower(), _("a match whose losers have nothing")),
    )
    return [Word(word, meaning) for applies, word, meaning in entries if applies]


def clarifications(rules: Rules, seats: int, preset: str = "") -> list[Clarification]:
    """Return questions that the sources leave open or answer differently, with the answers used here.

    The first are the doubts about the sources of `preset`.
    """
    doubts = [Clarification(str(doubt.question), str(doubt.answer)) for doubt in doubts_of(preset)]
    return [*doubts, *_by_options(rules, seats, preset)]


def _is_doubted(id: str, preset: str) -> bool:
    return any(doubt.id == id for doubt in doubts_of(preset))


def _allowed_values(preset: str, option: str) -> Sequence[object]:
    """Return the values that the source of the preset allows beside its own."""
    return PRESETS[preset].variants.get(option, ()) if preset else ()


def _by_options(rules: Rules, seats: int, preset: str) -> list[Clarification]:
    scope, extras = scope_of(rules, seats), rules.extras
    counted = rules.count in ("fives", "fives_by_one", "fives_threes")
    entries = (
        (
            counted,
            _("Does the lead score?"),
            _("Yes, like any other play: 5-5 and 6-4 count 10."),
        ),
        (
            rules.spinner == "first" and not _is_doubted("four-edges", preset),
            _("When do the spinner's other sides open?"),
            _("When a tile lies on both its line sides. All four at once is a house rule."),
        ),
        (
            rules.bonus_unit in ("nearest_five", "fifths_nearest") and scope.bonuses,
            _("How is a bonus between two fives rounded?"),
            _("2 goes down, 3 goes up: 12 → 10, 13 → 15."),
        ),
        (
            rules.out_bonus == "opponents"
            and scope.in_pairs
            and not scope.partner_pays
            and not _is_doubted("winning-couple", preset),
            _("Can the partner's tiles make a bonus negative?"),
            _("No, it is 0 at the least."),
        ),
        (
            scope.in_pairs and rules.next_lead == "winner",
            _("Which of the pair leads the next round?"),
            _("The one who won; the two do not choose."),
        ),
        (
            bool(extras.capicua) and not extras.capicua_blank,
            _("Is every tile that fits both ends a capicúa?"),
            _("Not a double, not one with a blank, and not where both ends show the same number."),
        ),
        (
            bool(extras.capicua_blank),
            _("Is every tile that fits both ends a capicúa?"),
            _("Not a double, and not where both ends show the same number. A blank half is no hindrance."),
        ),
        (
            bool(extras.pass_lead),
            _("What if the seat after the leader passes, and the next one too?"),
            _("Then it is nothing, unless all three pass."),
        ),
        (
            rules.blocked_winner == "closer" and not _is_doubted("gaple-closer", preset),
            _("Who wins a block?"),
            _(
                "Whoever closed is compared with the next seat only. The lightest single hand of all is a house rule."
            ),
        ),
        (
            rules.opening is not None and not rules.opening.kept,
            _("Are points too few to open with remembered?"),
            _("No, they are lost. To keep them is a house rule."),
        ),
        (
            rules.two_doubles,
            _("May the last two tiles go down together?"),
            _("Yes, if they are doubles and each fits its end."),
        ),
        (
            len(rules.lone_pips) == 1,
            _("Does another tile left alone count more, too?"),
            _("No. As a house rule any tile may, 6-6 for example."),
        ),
        (
            rules.exact and rules.claims == "muggins",
            _("May others call points that would pass their player's target?"),
            _("No: points that their player cannot be given, nobody can."),
        ),
        (
            rules.draw == "until_playable" and scope.can_draw,
            _("May one draw although a tile fits?"),
            _("No. Drawing at will is a choice that stays rated.")
            if "free" in _allowed_values(preset, "draw")
            else _("No. Drawing at will is a house rule."),
        ),
        (
            rules.finish == "round_end" and (counted or bool(extras.pass_round)),
            _("What if somebody reaches the target within a round?"),
            _("The round is played to its end, then the scores are looked at."),
        ),
    )
    return [Clarification(question, answer) for applies, question, answer in entries if applies]
