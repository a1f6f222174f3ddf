"""The newest moves as sentences for screen readers, numbered so that a page announces each of them once."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from boneyard.engine.moves import DRAW, MUGGINS
from boneyard.engine.perspective import View
from boneyard.engine.round_ends import EndedRound
from boneyard.engine.rounds import Entry
from boneyard.engine.rules import Rules
from boneyard.engine.tiles import DOUBLE, NAMES, Tile
from games import wording
from games.table.ledger import explain_block, explain_nothing
from games.wording import gettext as _
from games.wording import pgettext

MAIN_ARMS = ("L", "R", "U", "D")  # in the order of the description; the arms of branches follow
_TILE_SENTENCES: dict[str, Promise] = {
    "lead": gettext_lazy("Lead: %(tile)s."),
    "spinner": gettext_lazy("Spinner: %(tile)s."),
    "last": gettext_lazy("Laid last: %(tile)s."),
}
# After one of these moves the points of the play before can no longer be called.
_CLOSING_MOVES = ("play", "draw", "pass")
MAX_NEWS = 6  # a page that has missed more announces the newest ones alone
MAX_CACHED_SENTENCES = 8_192


class News(NamedTuple):
    """A move as a sentence.

    number  of the move in the match, counted from 1
    ends    the open ends in words, after the newest play, with what joins them to the sentence
    is_last of a round that has ended: its sentence says how
    """

    number: int
    sentence: str
    ends: str = ""
    is_last: bool = False

    @property
    def full_sentence(self) -> str:
        return f"{self.sentence}{self.ends}"


def build_news(
    view: View,
    names: Sequence[str],
    ended: EndedRound | None = None,
    speech: wording.Speech = wording.DEFAULT_SPEECH,
    ends: str = "",
    newest: str = "",
) -> tuple[News, ...]:
    """Return the newest moves of the current round, or those of the `ended` round before and how it ended.

    `ends` is the result of `open_ends_sentence(view)`, if the caller has it; `newest` replaces the newest sentence.
    """
    log = view.log if ended is None else ended.log
    last = view.move_count if ended is None else view.move_count - len(view.log)
    over = ended is not None or view.result is not None
    ended = ended or _last_round(view)
    sentences = _sentences(log, view, names, over=over)
    if newest:
        sentences[:1] = [newest]
    news = [News(last - back, sentence) for back, sentence in enumerate(sentences)]  # the newest first
    if news and ended is not None:
        end = _describe_end(ended, view, names, speech)
        news[0] = News(last, f"{news[0].sentence}. {end}", is_last=True)
    elif view.ends:
        # After the newest play, whose ends they are; if it is too old to be news, after the newest move.
        recent = enumerate(reversed(log[-MAX_NEWS:]))
        newest_play = next((back for back, entry in recent if entry.move.kind == "play"), -1)
        if newest_play < 0:
            said = f". {ends_now_sentence(view)}"  # of no move that is news
        else:
            said = pgettext("between a play and the open ends", ": ") + (ends or open_ends_sentence(view))
        if view.awaits_calls and newest_play == 0:
            said = f"{said}. {_any_calls()}"
        told = max(newest_play, 0)
        news[told] = news[told]._replace(ends=said)
        if fits := _describe_own_draw(view):
            news[0] = news[0]._replace(sentence=f"{news[0].sentence}. {fits}")
    return tuple([each for each in reversed(news) if each.sentence])


def describe_moves_after(view: View, names: Sequence[str], version: int) -> str:
    """Return the moves after the first `version` ones of the match, as far as they are news, each as a sentence."""
    news = (*_news_of_last_round(view, names), *build_news(view, names))
    return " ".join([f"{each.full_sentence.removesuffix('.')}." for each in news if each.number > version])


def _news_of_last_round(view: View, names: Sequence[str]) -> tuple[News, ...]:
    return build_news(view, names, view.ended[-1]) if view.ended and view.result is None else ()


def _describe_end(ended: EndedRound, view: View, names: Sequence[str], speech: wording.Speech) -> str:
    """Return how a round ended, how its points add up, and the scores."""
    own_names = wording.names_for_seat(names, view.seat)
    end = wording.round_sentence(ended.end, view.sides, own_names, view.rules, speech)
    if ended.end.how == "stopped":
        return end
    scores = wording.scores_sentence(view.sides, own_names, ended.scores)
    gains = [wording.explain_bonus(ended, view.terms, side) for side in view.terms.all_sides]
    nothing = wording.spell_signs(explain_nothing(view, ended, speech))  # with the sum that comes to nothing
    adds_up = not nothing or any(ended.end.taken)
    sums = [wording.format_sum(gain, labelled=True) if len(gain) > 1 and adds_up else "" for gain in gains]
    added = wording.sums_sentences(view.sides, own_names, sums)
    return " ".join(
        filter(None, [explain_block(ended), end, nothing, *(f"{text}." for text in added), f"{scores}."])
    )


def _describe_own_draw(view: View) -> str:
    """Return where the tile fits that the viewer has just drawn; "" after any other move."""
    newest = view.log[-1]
    if newest.tile is None or newest.seat != view.seat or not view.legal:
        return ""
    plays = [move.plays[0] for move in view.legal if move.kind == "play" and len(move.plays) == 1]
    return wording.fit_sentence(tuple([end for tile, end in plays if tile == newest.tile and end]))


@wording.cached_by_language
def _any_calls() -> str:
    return _("Any calls?")


def _last_round(view: View) -> EndedRound | None:
    """Return the round that ended the match, unless it was stopped."""
    if view.result is None or not view.ended or view.ended[-1].number != view.round:
        return None
    return view.ended[-1] if view.ended[-1].end.how != "stopped" else None


def _sentences(log: Sequence[Entry], view: View, names: Sequence[str], *, over: bool) -> list[str]:
    """Return the sentences of the newest moves, the newest first; "" for a draw that the next sentence counts."""
    language = wording.active_language()
    own_names = wording.names_for_seat(names, view.seat)
    sentences = []
    for end in range(len(log), max(0, len(log) - MAX_NEWS), -1):
        entry = log[end - 1]
        draws = _count_hidden_draws(log[:end]) if entry.move is DRAW and entry.tile is None else 0
        is_counted = draws > 0 and end < len(log) and _is_hidden_draw(log[end], entry.seat)
        sentence = "" if is_counted else _sentence(entry, own_names[entry.seat], language, draws)
        gains = (
            wording.bonuses_sentence(entry.award, view.sides, own_names, view.rules) if entry.award else ""
        )
        sentences.append(f"{sentence}. {gains}" if gains else sentence)
    if view.rules.claims != "muggins":
        return sentences
    after = f". {unclaimed}" if over and (unclaimed := _unclaimed_points(log, own_names)) else ""
    sentences[:1] = [f"{sentence}{after}" for sentence in sentences[:1]]
    return [
        ". ".join(
            filter(None, (describe_unclaimed_before(log[: len(log) - back], own_names, view.rules), sentence))
        )
        for back, sentence in enumerate(sentences)
    ]


def describe_unclaimed_before(log: Sequence[Entry], names: Sequence[str], rules: Rules) -> str:
    """Return a sentence about points that nobody can call any more because of the last move; "" if there are none."""
    is_closed = rules.claims == "muggins" and log[-1].move.kind in _CLOSING_MOVES
    return _unclaimed_points(log[:-1], names) if is_closed else ""


def _is_hidden_draw(entry: Entry, seat: int) -> bool:
    return entry.move is DRAW and entry.tile is None and entry.seat == seat


def _count_hidden_draws(log: Sequence[Entry]) -> int:
    """Return how many tiles unknown to the viewer were drawn one after the other by the player of the last entry."""
    draws = 0
    for entry in reversed(log):
        if entry.move is not DRAW or entry.tile is not None or entry.seat != log[-1].seat:
            break
        draws += 1
    return draws


def _unclaimed_points(log: Sequence[Entry], names: Sequence[str]) -> str:
    """Return a sentence about the points of the last play if nobody has claimed or called them; otherwise ""."""
    for entry in reversed(log):
        if entry.move.kind == "play":
            counts = entry.points and not entry.scored and not wording.is_past_target(entry)
            return wording.unclaimed_sentence(entry, names[entry.seat]) if counts else ""
        if entry.move is MUGGINS or entry.move.kind in _CLOSING_MOVES:
            return ""
    return ""


# Cache: key the arguments; bound MAX_CACHED_SENTENCES; invalidated by nothing.
@lru_cache(MAX_CACHED_SENTENCES)
def _sentence(entry: Entry, name: str, language: str | None, draws: int) -> str:
    if draws > 1:  # a page announces each draw: "in a row" says that the earlier ones are among them
        return wording.draws_sentence(name, draws)
    return wording.move_sentence(entry, name, shown=entry.scored is not None)


def open_ends_sentence(view: View) -> str:
    """Return the open ends, and the count if it is displayed: *open 5 and 0, count 10*."""
    return wording.open_ends(_describe_open_ends(view), view.count) if view.ends else ""


def ends_now_sentence(view: View) -> str:
    """Return the same as a sentence of its own: *Ends 5 and 0, count 10*."""
    return wording.ends_now(_describe_open_ends(view), view.count) if view.ends else ""


def _describe_open_ends(view: View) -> tuple[str, ...]:
    """Return the suit of each open end.

    If the ends are added up, also say which is a double, whose halves both count, or a free side of the spinner.
    """
    if not view.rules.adds_ends:
        return tuple(map(str, view.ends.values()))
    last = {laid.end: laid.tile for laid in view.laid}
    if len(view.laid) == 1 and DOUBLE[view.laid[0].tile]:
        return (_("double %(suit)d") % {"suit": view.ends["L"]},)
    lead = view.laid[0].tile
    return tuple(
        [
            _describe_counted_end(end, suit, last.get(end, lead), end in last)
            for end, suit in view.ends.items()
        ]
    )


@wording.cached_by_language
def _describe_counted_end(end: str, suit: int, tile: Tile, is_begun: bool) -> str:
    if not is_begun and end not in ("L", "R"):
        return _("free side %(suit)d") % {"suit": suit}
    return _("double %(suit)d") % {"suit": suit} if DOUBLE[tile] else str(suit)


def opening_sentence(view: View, lead: str) -> str:
    """Return the sentence for the start of a round, and the hand until the viewer has moved.

    *Round 2. tiago drew 6-4, the highest, and leads. Your hand: 6-4, 3-0.*
    """
    start = f"{_round_name(view.round)}. {lead}"
    if not view.hand or any([entry.seat == view.seat for entry in view.log]):
        return start
    hand = _("Your hand: %(tiles)s") % {"tiles": ", ".join(NAMES[tile] for tile in view.hand)}
    return f"{start} {hand}."


@wording.cached_by_language
def _round_name(round: int) -> str:
    return _("Round %(n)s") % {"n": round}


def describe_ends(view: View) -> str:
    """Return the open ends for screen readers: left end, 6; right end, 0."""
    return "; ".join([wording.spot_name(end, suit) for end, suit in view.ends.items()])


def describe_line(view: View) -> str:
    """Return the line of play for screen readers: the lead, then each arm outward."""
    return " ".join(sentence for _subject, sentence in line_sentences(view))


def line_sentences(view: View) -> list[tuple[str, str]]:
    """Return the same sentences with their subjects: lead, spinner, the names of arms, last; or nothing."""
    if not view.laid:
        return [("nothing", _("Nothing lies on the table."))]
    subjects = [("lead", NAMES[view.laid[0].tile])]
    if view.spinner is not None:
        subjects.append(("spinner", NAMES[view.spinner]))
    arms: dict[str, list[str]] = {end: [] for end in MAIN_ARMS}
    for laid in view.laid:
        if laid.end is not None:
            arms.setdefault(laid.end, []).append(NAMES[laid.tile])
    subjects += [(arm, ", ".join(tiles)) for arm, tiles in arms.items() if tiles]
    subjects.append(("last", NAMES[view.laid[-1].tile]))
    return [(subject, _line_sentence(subject, tiles)) for subject, tiles in subjects]


@wording.cached_by_language
def _line_sentence(subject: str, tiles: str) -> str:
    if subject in _TILE_SENTENCES:
        return str(_TILE_SENTENCES[subject]) % {"tile": tiles}
    name = _arm_names().get(subject) or capfirst(wording.end_name(subject))
    return _("%(arm)s: %(tiles)s.") % {"arm": name, "tiles": tiles}


@wording.cached_by_language
def _arm_names() -> dict[str, str]:
    return {
        "L": pgettext("of the line", "Left arm"),
        "R": pgettext("of the line", "Right arm"),
        "U": pgettext("of the line", "Upper arm"),
        "D": pgettext("of the line", "Lower arm"),
    }
