"""Sentences about moves, rounds and results."""

from collections.abc import Callable, Sequence

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from boneyard.engine.moves import Move
from boneyard.engine.round_ends import RoundEnd
from boneyard.engine.rounds import Entry
from boneyard.engine.rules import Rules
from boneyard.engine.state import MatchEnding
from boneyard.engine.tiles import DOUBLE, NAMES

from .blocks import block_won, comparison_sentence
from .bonus import extras_sentence
from .joining import join_names
from .language_cache import cached_by_language, ngettext
from .language_cache import gettext as _
from .speech import DEFAULT_SPEECH, Speech, extra_announcement, extra_of_award

_ENDS = {
    "L": gettext_lazy("left end"),
    "R": gettext_lazy("right end"),
    "U": gettext_lazy("upper end"),
    "D": gettext_lazy("lower end"),
}


# Where every double branches, the free sides of the second one are the ends U2 and D2, and so on.
_NTH = (
    gettext_lazy("second"),
    gettext_lazy("third"),
    gettext_lazy("fourth"),
    gettext_lazy("fifth"),
    gettext_lazy("sixth"),
    gettext_lazy("seventh"),
    gettext_lazy("eighth"),
    gettext_lazy("ninth"),
    gettext_lazy("tenth"),
    gettext_lazy("eleventh"),
    gettext_lazy("twelfth"),
    gettext_lazy("thirteenth"),
)

_PLACED_AT = {
    "L": gettext_lazy("%(tile)s to the left"),
    "R": gettext_lazy("%(tile)s to the right"),
    "U": gettext_lazy("%(tile)s upwards"),
    "D": gettext_lazy("%(tile)s downwards"),
}
_YOUR_SENTENCES = {
    "draw": gettext_lazy("You drew %(tile)s"),
    "pass": gettext_lazy("You passed"),
    "muggins": gettext_lazy("You called muggins"),
    "resign": gettext_lazy("You resigned"),
    "time": gettext_lazy("You ran out of time"),
    "left": gettext_lazy("You left the match"),
    "takeover": gettext_lazy("A computer plays on for you"),
    "abort": gettext_lazy("You called the match off"),
    "close": gettext_lazy("Nobody called"),
    "void": gettext_lazy("The moderators ended the match"),
}


@cached_by_language
def end_name(end: str) -> str:
    """Return the name of an end: *left end*, *second upper end*."""
    name = _ENDS[end[0]]
    if len(end) == 1:
        return str(name)
    return _("%(nth)s %(end)s") % {"nth": _NTH[int(end[1:]) - 2], "end": name}


@cached_by_language
def spot_name(end: str, suit: int) -> str:
    """Return the accessible name of a spot where a tile fits: *left end, 6*."""
    return _("%(end)s, %(suit)d") % {"end": end_name(end), "suit": suit}


def move_sentence(entry: Entry, name: str, *, shown: bool = True) -> str:
    """Return a move as a sentence: *tiago played 5-0 to the left, 10 points*; *You played …* if `name` is empty.

    With `shown` False its points are left out.
    """
    shown_entry = entry if shown else entry._replace(scored=None)
    words = _SENTENCES[entry.move.kind](shown_entry) if name else _your_move(shown_entry)
    tiles = play_phrase(entry.move)
    drawn = "" if entry.tile is None else NAMES[entry.tile]
    sentence = words % {"name": name, "tiles": tiles, "tile": drawn, "points": entry.scored}
    if entry.claim and not entry.scored:
        sentence = add_failed_claim(sentence, entry)
    return f"{sentence}. {award_sentence(entry.award, entry.move)}" if entry.award else sentence


def draws_sentence(name: str, count: int) -> str:
    """Return the sentence of several draws by one player, whose tiles the viewer does not see."""
    text = ngettext("%(name)s drew %(n)d tile in a row", "%(name)s drew %(n)d tiles in a row", count)
    return text % {"name": name, "n": count}


def add_failed_claim(said: str, entry: Entry) -> str:
    """Return what is said of a play with the claim that scored nothing: *mara played 5-0, claimed 10, no points*."""
    text = (
        _("%(said)s, %(n)d, past the target")
        if is_past_target(entry)
        else _("%(said)s, claimed %(n)d, no points")
    )
    return text % {"said": said, "n": entry.claim}


def is_past_target(play: Entry) -> bool:
    """Return whether a play that scored nothing was claimed correctly, and so would pass the target."""
    return play.claim == play.points


def unclaimed_sentence(play: Entry, name: str) -> str:
    """Return the sentence of a play not claimed correctly: *tiago did not claim 10 points*; *You did …* if `name` is
    empty."""
    points = play.points or 0
    if play.claim:
        text = _("%(name)s claimed %(claim)d, not %(n)d") if name else _("You claimed %(claim)d, not %(n)d")
    elif name:
        text = ngettext("%(name)s did not claim %(n)d point", "%(name)s did not claim %(n)d points", points)
    else:
        text = ngettext("You did not claim %(n)d point", "You did not claim %(n)d points", points)
    return text % {"name": name, "claim": play.claim, "n": points}


def award_sentence(award: Sequence[int], move: Move | None) -> str:
    """Return the announcement of points that passes have earned: *Pase corrido! +25*."""
    return extra_announcement(extra_of_award("" if move is None else move.kind), max(award))


def play_phrase(move: Move) -> str:
    """Return a play inside a sentence: *5-0 to the left*."""
    return ", ".join(_placed_tile(NAMES[tile], end) for tile, end in move.plays)


@cached_by_language
def _placed_tile(tile: str, end: str | None) -> str:
    """Return *5-0 to the left*, or the tile alone if it led."""
    if end is None:
        return tile
    if end not in _PLACED_AT:
        return _("%(tile)s at the %(end)s") % {"tile": tile, "end": end_name(end)}
    return str(_PLACED_AT[end]) % {"tile": tile}


def _your_move(entry: Entry) -> str:
    kind = entry.move.kind
    if _both_doubles(entry.move):
        text = _("You played both doubles, %(tiles)s")
    elif kind == "play":
        text = _("You led %(tiles)s") if entry.move.plays[0][1] is None else _("You played %(tiles)s")
    else:
        text = str(_YOUR_SENTENCES[kind])
    if not entry.scored:
        return text
    return ngettext("%(said)s, %%(points)s point", "%(said)s, %%(points)s points", entry.scored) % {
        "said": text
    }


@cached_by_language
def open_ends(ends: tuple[str, ...], count: int | None) -> str:
    """Return the open ends: *open double 5 and 0, count 10*, or without the count if it is None."""
    text = ngettext("open %(ends)s", "open %(ends)s", len(ends)) % {"ends": join_names(ends)}
    return text if count is None else _("%(open)s, count %(count)d") % {"open": text, "count": count}


def _played(entry: Entry) -> str:
    led = entry.move.plays[0][1] is None
    if led and entry.scored:
        return ngettext(
            "%(name)s led %(tiles)s, %(points)s point",
            "%(name)s led %(tiles)s, %(points)s points",
            entry.scored,
        )
    if led:
        return _("%(name)s led %(tiles)s")
    if entry.scored:
        return ngettext(
            "%(name)s played %(tiles)s, %(points)s point",
            "%(name)s played %(tiles)s, %(points)s points",
            entry.scored,
        )
    if _both_doubles(entry.move):
        return _("%(name)s played both doubles, %(tiles)s")
    return _("%(name)s played %(tiles)s")


def _both_doubles(move: Move) -> bool:
    return len(move.plays) == 2 and all(DOUBLE[tile] for tile, _end in move.plays)


def _drew(entry: Entry) -> str:
    return _("%(name)s drew a tile") if entry.tile is None else _("%(name)s drew %(tile)s")


def _called(entry: Entry) -> str:
    if not entry.scored:
        return _("%(name)s called muggins")
    return ngettext(
        "%(name)s called muggins, %(points)s point",
        "%(name)s called muggins, %(points)s points",
        entry.scored,
    )


_SENTENCES: dict[str, Callable[[Entry], str]] = {
    "play": _played,
    "draw": _drew,
    "pass": lambda entry: _("%(name)s passed"),
    "muggins": _called,
    "resign": lambda entry: _("%(name)s resigned"),
    "time": lambda entry: _("%(name)s ran out of time"),
    "left": lambda entry: _("%(name)s left the match"),
    "takeover": lambda entry: _("A computer plays on for %(name)s"),
    "abort": lambda entry: _("%(name)s called the match off"),
    "close": lambda entry: _("Nobody called"),
    "void": lambda entry: _("The moderators ended the match"),
}


def side_names(sides: Sequence[Sequence[int]], names: Sequence[str]) -> tuple[str, ...]:
    """Return each side by the names of its seats: *mara & oyelaran*."""
    return tuple([" & ".join([names[seat] for seat in seats]) for seats in sides])


def names_for_seat(names: Sequence[str], seat: int | None) -> tuple[str, ...]:
    """Return the names for the viewer at this seat, whose own name is "" (*you*)."""
    return tuple(["" if position == seat else name for position, name in enumerate(names)])


def round_end(end: RoundEnd, names: Sequence[str], rules: Rules, speech: Speech = DEFAULT_SPEECH) -> str:
    """Return how a round ended: *mara went out*; *You went out* if the name is empty."""
    if end.how == "stopped":
        return _("The round was broken off")
    block = {"block": speech.blocked}
    if end.winner is None and end.how == "out":
        return _("The round was over, but whoever went out has left")
    if end.winner is None:
        is_carried = rules.blocked_tie == "carry"
        return (speech.carried_tie if is_carried else _("%(block)s: nobody wins the round")) % block
    if end.how == "out":
        name = names[end.winner]
        return speech.went_out % {"name": name} if name else speech.you_went_out
    return block_won(end, end.winner, names, rules, speech)


def bonuses(points: Sequence[int], sides: Sequence[Sequence[int]], names: Sequence[str], rules: Rules) -> str:
    """Return which side gets how many points: *mara and bob score 12*, *you score 12*; "" if none does."""
    return ", ".join(
        _bonus([names[seat] for seat in seats], each, rules)
        for seats, each in zip(sides, points, strict=True)
        if each
    )


def bonuses_sentence(
    points: Sequence[int], sides: Sequence[Sequence[int]], names: Sequence[str], rules: Rules
) -> str:
    """Return `bonuses` capitalized as a sentence, but leave a leading name as it is."""
    text = bonuses(points, sides, names, rules)
    first = next((seats for seats, each in zip(sides, points, strict=True) if each), ())
    return capfirst(text) if any(not names[seat] for seat in first) else text


def taken_sentence(end: RoundEnd, sides: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    """Return what the partner's tiles cost: *the partner's tiles cost mara and bob 6*; "" if they cost nothing."""
    for seats, taken in zip(sides, end.taken, strict=False):
        if taken:
            own = [names[seat] for seat in seats]
            if all(own):
                return _("The partner's tiles cost %(names)s %(n)d") % {"names": join_names(own), "n": taken}
            return _("The partner's tiles cost your side %(n)d") % {"n": taken}
    return ""


def netted_sentence(end: RoundEnd) -> str:
    """Return what `team_difference` took from both pairs, or ""."""
    if not end.netted:
        return ""
    return _("The smaller gain, %(n)d, is taken off both sides") % {"n": end.netted}


def reset_sentence(end: RoundEnd, rules: Rules) -> str:
    """Return that scores went back to 0 (`reset`), or ""."""
    if not end.reset:
        return ""
    if rules.reset == "one_all" and max(end.reset) == 1:
        return _("The others go back to 0")
    return _("All scores go back to 0")


def _bonus(names: Sequence[str], bonus: int, rules: Rules) -> str:
    if not all(names):
        return _your_bonus([name for name in names if name], bonus, rules)
    if rules.lowest_wins:
        text = ngettext("%(name)s writes %(n)d", "%(name)s write %(n)d", len(names))
    else:
        text = ngettext("%(name)s scores %(n)d", "%(name)s score %(n)d", len(names))
    return text % {"name": join_names(names), "n": bonus}


def _your_bonus(partners: Sequence[str], bonus: int, rules: Rules) -> str:
    if not partners:
        return (_("you write %(n)d") if rules.lowest_wins else _("you score %(n)d")) % {"n": bonus}
    text = _("you and %(name)s write %(n)d") if rules.lowest_wins else _("you and %(name)s score %(n)d")
    return text % {"name": join_names(partners), "n": bonus}


def round_sentence(
    end: RoundEnd,
    sides: Sequence[Sequence[int]],
    names: Sequence[str],
    rules: Rules,
    speech: Speech = DEFAULT_SPEECH,
) -> str:
    """Return how a round ended and its points: *mara went out. Capicúa! +25. mara scores 37.*

    An empty name is the viewer: *You went out. …*
    """
    return _round_sentence(end, tuple(map(tuple, sides)), tuple(names), rules, speech)


@cached_by_language
def _round_sentence(
    end: RoundEnd, sides: tuple[tuple[int, ...], ...], names: tuple[str, ...], rules: Rules, speech: Speech
) -> str:
    parts = (
        round_end(end, names, rules, speech),
        comparison_sentence(end, names, rules),
        extras_sentence(end),
        bonuses_sentence(end.bonus, sides, names, rules),
        taken_sentence(end, sides, names),
        netted_sentence(end),
        reset_sentence(end, rules),
    )
    return " ".join(f"{words}." for words in parts if words)


_OUTCOMES: dict[MatchEnding, Promise] = {
    "target": gettext_lazy("%(names)s won"),
    "rounds": gettext_lazy("%(names)s had the best score after the last round"),
    "resigned": gettext_lazy("%(names)s won by resignation"),
    "time": gettext_lazy("%(names)s won on time"),
    "left": gettext_lazy("%(names)s won, the others left"),
    "aborted": gettext_lazy("called off"),
}

_ENDED_BY: dict[MatchEnding, Promise] = {
    "target": gettext_lazy("reaching the target"),
    "rounds": gettext_lazy("the last round"),
    "resigned": gettext_lazy("resigning"),
    "time": gettext_lazy("the clock"),
    "left": gettext_lazy("leaving"),
    "aborted": gettext_lazy("being called off"),
}


def outcome(how: MatchEnding, winners: Sequence[str]) -> str:
    """Return the result of a match in a few words: *mara won by resignation*."""
    return str(_OUTCOMES[how if winners else "aborted"]) % {"names": join_names(winners) if winners else ""}


def ending_name(how: MatchEnding) -> str:
    """Return the name of a match ending for search filters: *resigning*."""
    return str(_ENDED_BY[how])
