"""Sentences and formats for analyses and learning pages. Everything here goes through gettext."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from boneyard.analysis.decisions import MARKS
from boneyard.analysis.knowledge import HandEstimate
from boneyard.engine.moves import INDEX, MUGGINS, Move
from boneyard.engine.perspective import View
from boneyard.engine.rules import Rules
from boneyard.engine.tiles import HIGH, LOW, NAMES, PIPS
from games import wording

# By the keys of `study.achievements`: the name, and what it was given for.
ACHIEVEMENTS = {
    "first-win": (gettext_lazy("First win"), gettext_lazy("Won a match")),
    "beat-people": (gettext_lazy("Across the table"), gettext_lazy("Won a match among people")),
    "beat-master": (gettext_lazy("Beat the master"), gettext_lazy("Won against the strongest computer")),
    "first-call": (gettext_lazy("Muggins!"), gettext_lazy("Called points that somebody had missed")),
    "ten-games": (gettext_lazy("Ten games"), gettext_lazy("Played ten different games to the end")),
    "hundred-matches": (
        gettext_lazy("A hundred matches"),
        gettext_lazy("Played a hundred matches to the end"),
    ),
    "puzzles": (gettext_lazy("A good eye"), gettext_lazy("Solved 25 puzzles at the first try")),
}

MIN_DISPLAYED_SHARE = 0.005  # smaller values are displayed as 0 %


def format_number(figure: float, digits: int) -> str:
    """Format a number for the active language. Round first: `number_format` truncates."""
    return number_format(round(figure, digits), digits)


def percent(chance: float, digits: int = 0) -> str:
    """Format a share in per cent, without the sign."""
    return format_number(100 * chance, digits)


def signed_share(figure: float) -> str:
    """Format a chance with its sign in per cent: +31 %, −12 % (U+2212), 0 %."""
    sign = "" if abs(figure) < MIN_DISPLAYED_SHARE else "+" if figure > 0 else "−"
    return f"{sign}{percent(abs(figure))}\N{NO-BREAK SPACE}%"


def move_in_words(view: View, move: Move) -> str:
    """Describe a move, made or not: *5-0 → 5*, *draw*; a lead by its tile only."""
    if move.kind == "draw":
        return _("draw")
    if move.kind == "pass":
        return _("pass")
    layout = view.layout()
    if layout is None:
        return NAMES[move.plays[0][0]]
    return ", ".join(f"{NAMES[tile]} → {layout.tips[INDEX[end or 'L']].suit}" for tile, end in move.plays)


def place_in_words(view: View, move: Move) -> str:
    """Describe a possible move and its place: *5-0, left end, 5*; a lead by its tile only."""
    layout = view.layout()
    if move == MUGGINS:
        return _("Muggins!")
    if move.kind != "play":
        return move_in_words(view, move)
    if layout is None:
        return NAMES[move.plays[0][0]]
    return ", ".join(
        f"{NAMES[tile]}, {wording.spot_name(end or 'L', layout.tips[INDEX[end or 'L']].suit)}"
        for tile, end in move.plays
    )


def with_claim(place: str, claim: int | None) -> str:
    """Append the claim to a place: *5-5, left end, 5: claim 10*."""
    if claim is None:
        return _("%(place)s: claim nothing") % {"place": place}
    return _("%(place)s: claim %(points)d") % {"place": place, "points": claim}


def miscounted(count: int) -> str:
    return _("Count again: the ends make %(count)d after it.") % {"count": count}


def wrong_count(count: int) -> str:
    return _("That makes %(count)d, which is not what is asked for.") % {"count": count}


def too_few_decisions(name: str, decisions: int) -> str:
    """Say that a seat decided too seldom; an empty name is the reader."""
    if not name:
        return ngettext(
            "Only one decision: too few for an average",
            "You decided %(n)d times, too seldom for a mean",
            decisions,
        ) % {"n": decisions}
    sentence = ngettext(
        "%(name)s decided once, too seldom for a mean",
        "%(name)s decided %(n)d times, too seldom for a mean",
        decisions,
    )
    return sentence % {"name": name, "n": decisions}


_OWN_VICTORIES = {
    "rounds": gettext_lazy("You had the best score after the last round"),
    "resigned": gettext_lazy("You won by resignation"),
    "time": gettext_lazy("You won on time"),
    "left": gettext_lazy("You won, the others left"),
}


def own_victory(how: str) -> str:
    """Return how the reader won a match that did not end at the target, or ""."""
    return str(_OWN_VICTORIES.get(how, ""))


def mark_title(mark: str) -> str:
    """Return the meaning of a mark, or ""."""
    least = {sign: least for least, sign in MARKS}.get(mark)
    return "" if least is None else _("lost %(n)s %% or more") % {"n": least}


def loss_in_words(loss: float, error: float) -> str:
    """Describe a loss: *lost 16 % ± 1*, or that there is no significant one."""
    if is_equal(loss, error):
        return _("as good as the best")
    return _("lost %(loss)s %% ± %(error)s") % {"loss": percent(loss), "error": percent(max(error, 0.01))}


def is_equal(loss: float, error: float) -> bool:
    """Return whether a loss is not significant."""
    return loss < 2 * error or loss < MIN_DISPLAYED_SHARE


def answer_feedback(loss: float, error: float, *, best: bool, may_retry: bool = True) -> str:
    """Return the feedback to a move that was tried."""
    if best:
        return _("That is the best move.")
    if is_equal(loss, error):
        return _("As good as the best, as far as can be told.")
    lost = round(100 * loss)
    sentence = ngettext(
        "That lowers your chance to win by %(loss)d percentage point (± %(error)s).",
        "That lowers your chance to win by %(loss)d percentage points (± %(error)s).",
        lost,
    ) % {"loss": lost, "error": percent(max(error, 0.01))}
    again = _("Try another.")
    return f"{sentence} {again}" if may_retry else sentence


def reason_in_words(reason: tuple[str, float, float] | None, best: str, made: str, seats: int) -> str:
    """Return why the best move is better than the one made, in a match of so many seats."""
    kind, one, other = reason or ("deals", 0, 0)
    sentences = {
        "out": _("%(best)s goes out."),
        "scores": _("Points at once: %(one)d with %(best)s; %(other)d with %(made)s."),
        "shuts": _(
            "After %(best)s the opponent holds a tile that fits in %(one_share)s %% of the possible deals, after"
            " %(made)s in %(other_share)s %%."
        )
        if seats == 2
        else _(
            "After %(best)s the next opponent holds a tile that fits in %(one_share)s %% of the possible deals,"
            " after %(made)s in %(other_share)s %%."
        ),
        "gives_less": _(
            "After %(best)s the opponent’s best tile in hand scores %(one_mean)s points on average, after %(made)s:"
            " %(other_mean)s."
        )
        if seats == 2
        else _(
            "After %(best)s the next opponent’s best tile in hand scores %(one_mean)s points on average, after"
            " %(made)s: %(other_mean)s."
        ),
        "own": _(
            "Tiles left in the hand that fit afterwards: %(one)d with %(best)s, %(other)d with %(made)s."
        ),
        "heavier": _("Pips that leave the hand: %(one)d with %(best)s, %(other)d with %(made)s."),
        "partner": _(
            "After %(best)s the partner holds a tile that fits in %(one_share)s %% of the possible deals, after"
            " %(made)s in %(other_share)s %%."
        ),
        "deals": _("No single thing decides: in the deals that were tried %(best)s wins more often."),
    }
    return sentences[kind] % {
        "best": best,
        "made": made,
        "one": one,
        "other": other,
        "one_share": percent(one),
        "other_share": percent(other),
        "one_mean": format_number(one, 1),
        "other_mean": format_number(other, 1),
    }


def evidence_in_words(known: HandEstimate, name: str, rules: Rules) -> str:
    """Describe what the passes and draws of a seat had shown; an empty name is the reader."""
    parts = []
    if known.drew:
        drew = (
            ngettext("%(name)s had drawn %(n)d tile.", "%(name)s had drawn %(n)d tiles.", known.drew)
            if name
            else ngettext("You had drawn %(n)d tile.", "You had drawn %(n)d tiles.", known.drew)
        )
        parts.append(drew % {"name": name, "n": known.drew})
    if known.lacks:
        suits = ", ".join(map(str, sorted(known.lacks, reverse=True)))
        parts.append(_shown(rules, name) % {"name": name, "suits": suits})
    parts.append(_("The rest follows from the tiles that could be seen and from what was played."))
    return " ".join(parts)


def _shown(rules: Rules, name: str) -> str:
    if rules.draw == "none":
        return (
            _("Passes had shown that %(name)s held no %(suits)s.")
            if name
            else _("Passes had shown that you held no %(suits)s.")
        )
    return (
        _("Passes and draws had shown that %(name)s held no %(suits)s.")
        if name
        else _("Passes and draws had shown that you held no %(suits)s.")
    )


def claim_missed(best: int | None, made: int | None) -> str:
    """Return the claim that was missed, or ""."""
    if best is None or best == made:
        return ""
    return _("%(n)d points were there to be claimed.") % {"n": best}


def game_with_target(game: str, rules: Rules) -> str:
    """Return a game with its target, unless it has none or the name contains it: *Block, first past 100*."""
    goal = "" if rules.target is None else wording.goal_beside(game, rules, short=False)
    return f"{game}, {goal}" if goal else game


def count_feedback(count: int, answer: int | None) -> str:
    """Return the feedback to a count; `answer` is None if it was not a whole number."""
    if answer is None:
        return _("Say the count as a whole number.")
    return _("Right: %(n)d.") % {"n": count} if answer == count else _("No, it was %(n)d.") % {"n": count}


def rush_feedback(is_solved: bool, best: str) -> str:
    """Return what follows an answer in a run of ten minutes."""
    return _("Right.") if is_solved else _("Best was: %(best)s. 20 seconds less.") % {"best": best}


def time_is_up() -> str:
    return _("Time is up.")


def hand_reading_feedback(lacks: frozenset[int], right: bool) -> str:
    """Return the feedback to the marked suits."""
    suits = ", ".join(map(str, sorted(lacks)))
    return (
        _("Right: no %(suits)s.") % {"suits": suits}
        if right
        else _("Not quite: no %(suits)s.") % {"suits": suits}
    )


def call_missed(name: str, worth: int, loss: float) -> str:
    """Describe open points that a seat did not call; an empty name is the reader."""
    values = {"name": name, "n": worth, "loss": percent(loss)}
    if not name:
        return _("You did not call %(n)d points that lay open: %(loss)s %% of the match.") % values
    return _("%(name)s did not call %(n)d points that lay open: %(loss)s %% of the match.") % values


def hint_in_words(move: str, claim: int | None, reason: str = "") -> str:
    """Describe the best move, its claim and its reason: *Hint: 6-4, left end, 6: it scores 10.*"""
    sentence = _("Hint: %(move)s") % {"move": move}
    if claim is not None:
        sentence = _("%(hint)s, and claim %(n)d") % {"hint": sentence, "n": claim}
    return f"{sentence}: {reason}." if reason else sentence


def reason_of_hint(view: View, move: Move) -> str:
    """Return what speaks for the move and can be seen at the table: *it scores 10*, *it is the only one that fits*."""
    plays = [each for each in view.legal if each.kind == "play"]
    if move.kind != "play":
        return "" if plays else _("nothing in your hand fits")
    if len(move.plays) == len(view.hand):
        return _("it goes out")
    if len(plays) == 1:
        return _("it is the only one that fits")
    if (points := view.points(move)) and not view.rules.lowest_wins:
        return ngettext("it scores %(n)d point", "it scores %(n)d points", points) % {"n": points}
    left = {each: _count_fitting_tiles(view, each) for each in plays}
    if left[move] > min(left.values()) and left[move] == max(left.values()):
        text = ngettext(
            "%(n)d of your tiles fits afterwards", "%(n)d of your tiles fit afterwards", left[move]
        )
        return text % {"n": left[move]}
    weights = {each: sum(PIPS[tile] for tile, _end in each.plays) for each in plays}
    if weights[move] == max(weights.values()) > min(weights.values()):
        return _("it takes most pips out of your hand")
    return _("it won most often in the deals that could be")


def _count_fitting_tiles(view: View, move: Move) -> int:
    """Return how many of the viewer's other tiles fit after the move."""
    suits = set(view.layout_after(move).ends.values())
    return sum(HIGH[tile] in suits or LOW[tile] in suits for tile in view.hand if not move.tiles >> tile & 1)


def not_enough_data(decisions: int, matches: int, *, enough: tuple[int, int]) -> str:
    """Return why luck or play is not displayed yet; `enough`: the minimum of decisions and matches."""
    sentence = ngettext(
        "Play is shown from %(enough_decisions)d decisions, luck from %(enough)d matches; so far %(n)d match is"
        " analysed, with %(decisions)d decisions.",
        "Play is shown from %(enough_decisions)d decisions, luck from %(enough)d matches; so far %(n)d matches are"
        " analysed, with %(decisions)d decisions.",
        matches,
    )
    values = {"enough_decisions": enough[0], "enough": enough[1], "n": matches, "decisions": decisions}
    return sentence % values


def one_in(rate: float) -> str:
    """Return a small share as one in how many, of two digits, at most a million."""
    cases = number_format(int(float(f"{1 / max(rate, 1e-6):.2g}")), force_grouping=True)
    return _("1 in %(n)s") % {"n": cases} if rate > 1e-6 else _("below 1 in %(n)s") % {"n": cases}


def statistic_name(row: str) -> str:
    """Return the name of a row of /fairness/numbers/."""
    if row.startswith("highest_"):
        return _("Who is dealt the highest double: seat %(n)d") % {"n": int(row.removeprefix("highest_")) + 1}
    return {
        "doubles_people": _("Doubles among the tiles dealt to people"),
        "doubles_computers": _("Doubles among the tiles dealt to computers"),
        "draws": _("Drawn tiles that fitted"),
        "first_seat": _("Matches of two people won from the first seat"),
    }[row]
