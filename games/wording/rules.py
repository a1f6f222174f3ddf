"""The rules of a table in words, made from its options: everything that will be applied, and nothing else."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine.presets import PRESETS
from games.engine.rules import OPTIONS, Rules
from games.engine.tiles import NAMES


class Sentence(NamedTuple):
    """One rule in words, the options it tells, and whether one of them differs from the preset's."""

    options: tuple[str, ...]
    text: str
    changed: bool = False


def preset_title(preset: str) -> str:
    return {
        "all-fives": _("All Fives"),
        "draw": pgettext("the game", "Draw"),
        "block": pgettext("the game", "Block"),
        "gomuggins": _("Network Muggins"),
        "muggins-200": _("Muggins, called"),
        "muggins-200-pairs": _("Muggins, called, in pairs"),
        "muggins-exact-61": _("Muggins to an exact 61"),
        "muggins-scoring-lead": _("Muggins with a scoring lead"),
        "muggins-61": _("Muggins by fives, 61"),
        "block-doublet": _("Block, highest doublet leads"),
        "draw-free": _("Draw at will"),
        "fives-and-threes": _("All Fives and Threes"),
        "fives-and-threes-pairs": _("All Fives and Threes in pairs"),
        "fives-and-threes-league": _("Fives and Threes, league"),
        "sebastopol": _("Sebastopol"),
    }[preset]


def option_name(option: str) -> str:
    """An option as the form and the refusals call it."""
    names = {
        "set": _("Set"),
        "players": _("Seats"),
        "partners": _("Pairs"),
        "hand_size": _("Tiles in a hand"),
        "max_same_suit": _("Most tiles of one suit in a hand"),
        "first_lead": _("Who leads first"),
        "lead_tile": _("The tile that leads"),
        "lead_with": _("What may be led"),
        "next_lead": _("Who leads later rounds"),
        "next_lead_after_block": _("Who leads after a block"),
        "spinner": _("Spinner"),
        "draw": _("Drawing"),
        "reserve": _("Tiles that stay in the boneyard"),
        "pass": _("Passing"),
        "many_ends": _("Several tiles in one turn"),
        "count": _("Points of a play"),
        "claims": _("Claiming points"),
        "out_bonus": _("Bonus for going out"),
        "out_points": _("Points for the last tile"),
        "blocked_bonus": _("Bonus after a block"),
        "blocked_tie": _("A tie after a block"),
        "bonus_unit": _("How bonuses are counted"),
        "bonus_ceiling": _("Ceiling for bonuses"),
        "team_difference": _("Only the difference is scored"),
        "target": _("Target"),
        "exact": _("Exact target"),
        "finish": _("When the match ends"),
        "lowest_wins": _("The lowest score wins"),
        "extra_rounds": _("Rounds after a tie"),
    }
    return names.get(option, option)


def choice_name(option: str, value: object) -> str:
    """A value of an option as the form calls it."""
    names = {
        ("set", 6): _("double-six"),
        ("set", 9): _("double-nine"),
        ("set", 12): _("double-twelve"),
        ("first_lead", "lot"): _("by lot"),
        ("first_lead", "highest_double"): _("the highest double"),
        ("first_lead", "lowest_double"): _("the lowest double"),
        ("first_lead", "tile"): _("a named tile"),
        ("lead_with", "any"): _("any tile"),
        ("lead_with", "named"): _("only the tile that won the lead"),
        ("lead_with", "scoring"): _("a tile that scores"),
        ("next_lead", "winner"): _("the winner of the round"),
        ("next_lead", "first"): _("as in the first round"),
        ("next_lead", "rotate"): _("the next seat"),
        ("next_lead_after_block", "winner"): _("the winner of the round"),
        ("next_lead_after_block", "first"): _("as in the first round"),
        ("next_lead_after_block", "rotate"): _("the next seat"),
        ("spinner", "none"): pgettext("spinner", "none"),
        ("spinner", "first"): _("the first double"),
        ("spinner", "first_enclosed"): _("the first double enclosed"),
        ("spinner", "cross"): _("the lead, all four sides at once"),
        ("draw", "none"): pgettext("drawing", "never"),
        ("draw", "until_playable"): _("until a tile fits"),
        ("draw", "free"): _("at will"),
        ("pass", "stuck"): _("only when stuck"),
        ("pass", "free"): _("at will, when nothing can be drawn"),
        ("count", "none"): pgettext("points", "none"),
        ("count", "fives"): _("the count, if a multiple of five"),
        ("count", "fives_by_one"): _("a point for each five"),
        ("count", "fives_threes"): _("a point for each five and each three"),
        ("claims", "automatic"): _("scored by themselves"),
        ("claims", "muggins"): _("claimed, or called by others"),
        ("out_bonus", "opponents"): _("the pips of the others"),
        ("out_bonus", "none"): pgettext("bonus", "none"),
        ("blocked_bonus", "total"): _("the pips of the others"),
        ("blocked_bonus", "difference"): _("those less one's own"),
        ("blocked_bonus", "chain"): _("each over each heavier"),
        ("blocked_bonus", "none"): pgettext("bonus", "none"),
        ("blocked_tie", "lightest_tile"): _("the lightest tile wins"),
        ("blocked_tie", "nobody"): _("nobody wins"),
        ("bonus_unit", "pips"): _("as it is"),
        ("bonus_unit", "nearest_five"): _("to the nearest five"),
        ("bonus_unit", "fifths_nearest"): _("to the nearest five, divided by five"),
        ("bonus_unit", "fifths_up"): _("divided by five, rounded up"),
        ("finish", "at_once"): _("at once"),
        ("finish", "round_end"): _("when a round ends"),
        ("extra_rounds", "one"): _("one more"),
        ("extra_rounds", "players"): _("one for each seat"),
    }
    return names[option, value]


def rules_in_words(rules: Rules, seats: int, base: Rules | None = None) -> list[Sentence]:
    """Every rule that applies with so many seats, in the order of play. `base`: the preset it is compared with."""
    pairs = rules.partners and seats == 4
    sentences = [
        *_deal(rules, seats, pairs),
        *_lead(rules),
        *_play(rules, seats),
        *_points(rules),
        *_round_end(rules, pairs),
        *_match_end(rules, seats, pairs),
    ]
    if base is None:
        return sentences
    different = {o.name for o in OPTIONS if getattr(rules, o.attribute) != getattr(base, o.attribute)}
    return [s._replace(changed=bool(different & set(s.options))) for s in sentences]


def _deal(rules: Rules, seats: int, pairs: bool) -> list[Sentence]:
    hand = rules.hand_size.at(seats)
    tiles = {6: 28, 9: 55, 12: 91}[rules.set]
    sentences = [
        Sentence(
            ("set", "hand_size", "players"),
            _("%(seats)s seats, a %(set)s set of %(tiles)s tiles, %(hand)s in each hand.")
            % {"seats": seats, "set": choice_name("set", rules.set), "tiles": tiles, "hand": hand},
        )
    ]
    if pairs:
        sentences.append(
            Sentence(("partners",), _("Those who sit opposite are partners and score together."))
        )
    elif seats == 4:
        sentences.append(Sentence(("partners",), _("Everybody plays for themselves.")))
    if tiles > hand * seats:
        rest = _("The rest is the boneyard.")
        sentences.append(Sentence(("hand_size",), rest))
    if rules.max_same_suit is not None:
        text = _(
            "A deal that gives a hand more than %(n)s tiles of one suit, doubles apart, is shuffled again."
        )
        sentences.append(Sentence(("max_same_suit",), text % {"n": rules.max_same_suit}))
    return sentences


def _lead(rules: Rules) -> list[Sentence]:
    tile = NAMES[rules.lead_tile] if rules.lead_tile is not None else ""
    first = {
        "lot": _("The first lead is drawn by lot: the heaviest tile leads."),
        "highest_double": _(
            "The holder of the highest double leads; without a double, of the heaviest tile."
        ),
        "lowest_double": _("The holder of the lowest double leads; without a double, of the lightest tile."),
        "tile": _(
            "The holder of %(tile)s leads; if nobody has it, each draws a tile in turn until somebody does."
        )
        % {"tile": tile},
    }[rules.first_lead]
    sentences = [Sentence(("first_lead", "lead_tile"), first)]
    if rules.lead_with == "named":
        sentences.append(Sentence(("lead_with",), _("That tile must be led.")))
    elif rules.lead_with == "scoring":
        text = _("A tile whose pips score must be led, if the hand has one.")
        sentences.append(Sentence(("lead_with",), text))
    else:
        sentences.append(Sentence(("lead_with",), _("Any tile may be led.")))
    words = {
        "winner": _("the winner of the round before"),
        "first": _("whoever it falls to as in the first round"),
        "rotate": _("the seat after the one that led before"),
    }
    if rules.next_lead == rules.next_lead_after_block:
        text = _("Later rounds are led by %(who)s.") % {"who": words[rules.next_lead]}
    else:
        text = _("Later rounds are led by %(who)s; after a blocked round by %(blocked)s.") % {
            "who": words[rules.next_lead],
            "blocked": words[rules.next_lead_after_block],
        }
    sentences.append(Sentence(("next_lead", "next_lead_after_block"), text))
    return sentences


def _play(rules: Rules, seats: int) -> list[Sentence]:
    spinner = {
        "none": _("The line has two ends, always."),
        "first": _(
            "The first double is the spinner. Once both its sides are covered, its two other sides open too."
        ),
        "first_enclosed": _(
            "The first double with a tile on both sides is the spinner; its two other sides open then."
        ),
        "cross": _(
            "All four sides of the lead are open at once; each must be joined before any arm goes on."
        ),
    }[rules.spinner]
    sentences = [Sentence(("spinner",), spinner)]
    boneyard = {6: 28, 9: 55, 12: 91}[rules.set] - seats * rules.hand_size.at(seats)
    reserve = rules.reserve.at(seats)
    can_draw = rules.draw != "none" and boneyard > reserve
    if not can_draw:
        sentences.append(Sentence(("draw", "reserve"), _("Nobody draws.")))
    elif rules.draw == "until_playable":
        sentences.append(Sentence(("draw",), _("Who cannot play draws until a tile fits.")))
    else:
        sentences.append(
            Sentence(("draw",), _("Before playing, any number of tiles may be drawn, even if one fits."))
        )
    if can_draw and reserve:
        text = ngettext("The last tile is never drawn.", "The last %(n)s tiles are never drawn.", reserve)
        sentences.append(Sentence(("reserve",), text % {"n": reserve}))
    if rules.pass_ == "free":  # noqa: S105
        text = (
            _("Who cannot draw may pass, by choice as well.")
            if can_draw
            else _("Anyone may pass, by choice as well.")
        )
    else:
        text = (
            _("Pass only when no tile fits and none can be drawn.")
            if can_draw
            else _("Pass only when no tile fits.")
        )
    sentences.append(Sentence(("pass",), text))
    if rules.many_ends:
        text = _(
            "Several tiles may be played in one turn, each to another end, if the count is then a multiple of five."
        )
        sentences.append(Sentence(("many_ends",), text))
    return sentences


def _points(rules: Rules) -> list[Sentence]:
    counted = {
        "none": _("Plays score nothing."),
        "fives": _("After a play, ends that add up to a multiple of five are worth that many points."),
        "fives_by_one": _(
            "After a play, ends that add up to a multiple of five are worth a fifth of it in points."
        ),
        "fives_threes": _(
            "After a play, the ends are worth a point for each five and a point for each three in a count that"
            " divides evenly: 15 is worth 3 + 5 = 8."
        ),
    }[rules.count]
    sentences = [Sentence(("count",), counted)]
    if rules.claims == "muggins":
        text = _(
            "Points must be claimed with the play. Unclaimed points go to the first of another side to call Muggins!"
            " before the next play, draw or pass."
        )
        sentences.append(Sentence(("claims",), text))
    if rules.out_points:
        text = ngettext(
            "The last tile of a hand is worth %(n)s point more.",
            "The last tile of a hand is worth %(n)s points more.",
            rules.out_points,
        )
        sentences.append(Sentence(("out_points",), text % {"n": rules.out_points}))
    return sentences


def _round_end(rules: Rules, pairs: bool) -> list[Sentence]:
    out = _("Going out scores nothing more.")
    if rules.out_bonus == "opponents" and pairs:
        out = _("Going out scores the pips in the other pair's hands, less those of the partner.")
    elif rules.out_bonus == "opponents":
        out = _("Going out scores the pips left in the other hands.")
    blocked = {
        "total": _("When nobody can play, the lightest hand scores the pips of the others."),
        "difference": _(
            "When nobody can play, the lightest hand scores the pips of the others less its own."
        ),
        "chain": _("When nobody can play, each hand scores over each heavier one the difference."),
        "none": _("When nobody can play, nobody scores."),
    }[rules.blocked_bonus]
    if pairs and rules.blocked_bonus != "none":
        blocked = " ".join((blocked, _("The two hands of a pair count as one.")))
    tie = {
        "lightest_tile": _("If hands are equally light, the one with the lightest single tile wins."),
        "nobody": _("If hands are equally light, nobody wins the round."),
    }[rules.blocked_tie]
    sentences = [
        Sentence(("out_bonus",), out),
        Sentence(("blocked_bonus",), blocked),
        Sentence(("blocked_tie",), tie),
    ]
    if rules.out_bonus == "none" and rules.blocked_bonus == "none":
        return sentences
    unit = {
        "pips": "",
        "nearest_five": _("These bonuses are rounded to the nearest five."),
        "fifths_nearest": _("These bonuses are rounded to the nearest five and divided by five."),
        "fifths_up": _("These bonuses are divided by five and rounded up."),
    }[rules.bonus_unit]
    if unit:
        sentences.append(Sentence(("bonus_unit",), unit))
    if rules.bonus_ceiling is not None:
        text = _("A bonus lifts a score to %(n)s at the most.")
        sentences.append(Sentence(("bonus_ceiling",), text % {"n": rules.bonus_ceiling}))
    return sentences


def _match_end(rules: Rules, seats: int, pairs: bool) -> list[Sentence]:
    sentences = []
    if rules.team_difference and pairs:
        text = _("Of a round's points only the difference is scored, by the pair that made more.")
        sentences.append(Sentence(("team_difference",), text))
    if rules.exact:
        text = _("Exactly %(n)s must be reached: points that would go past it are not scored.")
        sentences.append(Sentence(("exact", "target"), text % {"n": rules.target}))
    target = {"n": rules.target}
    if rules.finish == "at_once":
        text = _("The match ends the moment somebody has %(n)s.") % target
    elif rules.lowest_wins:
        text = _("When a round ends and somebody has %(n)s, the lowest score wins.") % target
    else:
        text = _("When a round ends and somebody has %(n)s, the best score wins.") % target
    sentences.append(Sentence(("target", "finish", "lowest_wins"), text))
    if rules.extra_rounds == "players" and rules.finish == "round_end":
        text = _("If the best are equal, %(n)s more rounds are played.") % {"n": seats}
    else:
        text = _("If the best are equal, one more round is played.")
    sentences.append(Sentence(("extra_rounds",), text))
    return sentences


def house_rules(rules: Rules, base: Rules) -> list[str]:
    """The names of the options in which a table differs from its preset."""
    return [
        option_name(o.name)
        for o in OPTIONS
        if o.name != "players" and getattr(rules, o.attribute) != getattr(base, o.attribute)
    ]


def rules_sentence(rules: Rules, seats: int, preset: str) -> str:
    """The game in one go: its preset, and in words what is different."""
    changed = [s.text for s in rules_in_words(rules, seats, PRESETS[preset].rules) if s.changed]
    title = preset_title(preset)
    if not changed:
        return _("%(game)s, as written.") % {"game": title}
    return _("%(game)s, but: %(changes)s") % {"game": title, "changes": " ".join(changed)}
