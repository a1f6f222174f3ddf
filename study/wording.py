"""What was found out about a match, in sentences. Everything here goes through gettext."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.engine.moves import INDEX, MUGGINS, Move
from games.engine.perspective import View
from games.engine.tiles import NAMES
from study.grading.decisions import MARKS
from study.grading.knowledge import Knowledge

NOTHING = 0.005  # of a match; less is 0.00 as it is shown


def _number(figure: float, digits: int) -> str:
    """As the language writes it; Django's own cuts off what it does not show."""
    return number_format(round(figure, digits), digits)


def percent(chance: float, digits: int = 0) -> str:
    """A share in per cent as the language writes it, without the sign."""
    return _number(100 * chance, digits)


def signed_share(figure: float) -> str:
    """A figure in chances of the match with its sign: +0.31, −0.12 (a true minus), 0.00."""
    sign = "" if abs(figure) < NOTHING else "+" if figure > 0 else "−"
    return sign + _number(abs(figure), 2)


def move_in_words(view: View, move: Move) -> str:
    """A move before it was made: *5-0 → 5*, *6-4 led*, *draw*."""
    if move.kind == "draw":
        return _("draw")
    if move.kind == "pass":
        return _("pass")
    layout = view.layout()
    if layout is None:
        return _("%(tile)s led") % {"tile": NAMES[move.plays[0][0]]}
    return ", ".join(f"{NAMES[tile]} → {layout.tips[INDEX[end or 'L']].suit}" for tile, end in move.plays)


def place_in_words(view: View, move: Move) -> str:
    """A move that may yet be made, and where: *5-0, left end, 5*; a lead by its tile."""
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
    """A place with what is claimed for it: *5-5, left end, 5: claim 10*."""
    if claim is None:
        return _("%(place)s: claim nothing") % {"place": place}
    return _("%(place)s: claim %(points)d") % {"place": place, "points": claim}


def miscounted(count: int) -> str:
    return _("Count again: the ends make %(count)d after it.") % {"count": count}


def makes_another(count: int) -> str:
    return _("That makes %(count)d, which is not what is asked for.") % {"count": count}


def too_few(name: str, decisions: int) -> str:
    """Of a seat that decided too seldom for a mean."""
    said = ngettext(
        "%(name)s decided once, too seldom for a mean",
        "%(name)s decided %(n)d times, too seldom for a mean",
        decisions,
    )
    return said % {"name": name, "n": decisions}


def headline(won: bool | None, luck: float | None, play: float | None) -> str:
    """How a match was won or lost, in chances of it; no word of what has no figure."""
    if won is None or luck is None or play is None:
        return _("The analysis")
    luck, play = (luck, play) if won else (-luck, -play)
    figures = {"luck": _number(abs(luck), 2), "play": _number(abs(play), 2)}
    if abs(play) < NOTHING <= luck:
        said = _("Won by %(luck)s of luck") if won else _("Lost by %(luck)s of luck")
    elif abs(luck) < NOTHING <= play:
        said = _("Won by %(play)s of play") if won else _("Lost by %(play)s of play")
    elif max(luck, play) < NOTHING:
        return _("The analysis")
    elif luck >= 0 and play >= 0:
        said = (
            _("Won by %(luck)s of luck, %(play)s of play")
            if won
            else _("Lost by %(luck)s of luck, %(play)s of play")
        )
    elif luck >= 0:
        said = (
            _("Won by %(luck)s of luck, in spite of %(play)s of play")
            if won
            else _("Lost by %(luck)s of luck, in spite of %(play)s of play")
        )
    else:
        said = (
            _("Won by %(play)s of play, in spite of %(luck)s of luck")
            if won
            else _("Lost by %(play)s of play, in spite of %(luck)s of luck")
        )
    return said % figures


def mark_title(mark: str) -> str:
    """What a mark says."""
    least = {sign: least for least, sign in MARKS}.get(mark)
    return "" if least is None else _("lost %(n)s %% or more") % {"n": least}


def lost(loss: float, error: float) -> str:
    """*lost 16 % ± 1*, or that there is no difference worth the name."""
    if is_equal(loss, error):
        return _("as good as the best")
    return _("lost %(loss)s %% ± %(error)s") % {"loss": percent(loss), "error": percent(max(error, 0.01))}


def is_equal(loss: float, error: float) -> bool:
    """Whether a move is as good as the best, as far as can be told."""
    return loss < 2 * error or loss < NOTHING


def judged(loss: float, error: float, *, best: bool, more: bool = True) -> str:
    """The answer to a move that somebody tried; `more`: they may try another."""
    if best:
        return _("That is the best move.")
    if is_equal(loss, error):
        return _("As good as the best: the difference is within its error.")
    said = (
        _("That loses %(loss)s %% ± %(error)s of the match. Try another.")
        if more
        else _("That loses %(loss)s %% ± %(error)s of the match.")
    )
    return said % {"loss": percent(loss), "error": percent(max(error, 0.01))}


def reason(told: tuple[str, float, float] | None, best: str, made: str) -> str:
    """Why the best move is better than the one made."""
    kind, one, other = told or ("deals", 0, 0)
    says = {
        "out": _("%(best)s goes out."),
        "scores": _("Points at once: %(one)d with %(best)s; %(other)d with %(made)s."),
        "shuts": _(
            "After %(best)s the next opponent can play in %(one_share)s %% of the deals, after %(made)s in"
            " %(other_share)s %%."
        ),
        "gives_less": _(
            "After %(best)s the best reply scores %(one_mean)s points in the mean, after %(made)s %(other_mean)s."
        ),
        "own": _(
            "Tiles left in the hand that fit afterwards: %(one)d with %(best)s, %(other)d with %(made)s."
        ),
        "heavier": _("Pips that leave the hand: %(one)d with %(best)s, %(other)d with %(made)s."),
        "partner": _(
            "After %(best)s the partner can play in %(one_share)s %% of the deals, after %(made)s in"
            " %(other_share)s %%."
        ),
        "deals": _("No single thing decides: over all deals that could be, %(best)s wins more often."),
    }
    return says[kind] % {
        "best": best,
        "made": made,
        "one": one,
        "other": other,
        "one_share": percent(one),
        "other_share": percent(other),
        "one_mean": _number(one, 1),
        "other_mean": _number(other, 1),
    }


def evidence(known: Knowledge, name: str) -> str:
    """What a seat's passes and draws had shown."""
    parts = []
    if known.drew:
        parts.append(
            ngettext("%(name)s had drawn %(n)d tile.", "%(name)s had drawn %(n)d tiles.", known.drew)
            % {"name": name, "n": known.drew}
        )
    if known.lacks:
        suits = ", ".join(map(str, sorted(known.lacks, reverse=True)))
        parts.append(
            _("Passes and draws had shown that %(name)s held no %(suits)s.") % {"name": name, "suits": suits}
        )
    parts.append(_("The rest follows from the tiles that could be seen and from what was played."))
    return " ".join(parts)


def claim_missed(best: int | None, made: int | None) -> str:
    """What should have been claimed for a play."""
    if best is None or best == made:
        return ""
    return _("%(n)d points were there to be claimed.") % {"n": best}


def first_to(game: str, target: int) -> str:
    """A game and its target; of some the name tells it."""
    return game if str(target) in game else _("%(game)s, first to %(n)s") % {"game": game, "n": target}


def counted(count: int, said: int | None) -> str:
    """The answer to a count as it was said; None: it was no whole number."""
    if said is None:
        return _("Say the count as a whole number.")
    return _("Right: %(n)d.") % {"n": count} if said == count else _("No, it was %(n)d.") % {"n": count}


def time_is_up() -> str:
    return _("Time is up.")


def held(lacks: frozenset[int], right: bool) -> str:
    """The answer to the suits marked."""
    suits = ", ".join(map(str, sorted(lacks)))
    return (
        _("Right: no %(suits)s.") % {"suits": suits}
        if right
        else _("Not quite: no %(suits)s.") % {"suits": suits}
    )


def call_missed(name: str, worth: int, loss: float) -> str:
    """Points that lay open for anybody to call, and what it cost of the match not to."""
    told = {"name": name, "n": worth, "loss": percent(loss)}
    return _("%(name)s did not call %(n)d points that lay open: %(loss)s %% of the match.") % told


def hint(move: str, claim: int | None) -> str:
    """What to play, and what to say with it."""
    said = _("Hint: %(move)s") % {"move": move}
    return said if claim is None else _("%(hint)s, and claim %(n)d") % {"hint": said, "n": claim}


def so_far(decisions: int, matches: int, *, enough: tuple[int, int]) -> str:
    """Why luck or play of a person is not told yet; `enough`: decisions and matches."""
    said = ngettext(
        "Play is told from %(enough_decisions)d decisions on, luck from %(enough)d matches on; so far %(n)d match is"
        " analysed, with %(decisions)d decisions.",
        "Play is told from %(enough_decisions)d decisions on, luck from %(enough)d matches on; so far %(n)d matches are"
        " analysed, with %(decisions)d decisions.",
        matches,
    )
    told = {"enough_decisions": enough[0], "enough": enough[1], "n": matches, "decisions": decisions}
    return said % told


def number_name(row: str) -> str:
    """What a row of /fairness/numbers/ counts."""
    if row.startswith("highest_"):
        return _("Who is dealt the highest double: seat %(n)d") % {"n": int(row.removeprefix("highest_")) + 1}
    return {
        "doubles_people": _("Doubles among the tiles dealt to people"),
        "doubles_computers": _("Doubles among the tiles dealt to computers"),
        "draws": _("Drawn tiles that fitted"),
        "first_seat": _("Matches of two people won from the first seat"),
    }[row]
