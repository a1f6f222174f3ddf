"""Conditional moves: for which of the other's moves a person can plan an answer, and which answers there are.

Both follow from what the person sees: the tiles that the other may hold are all that the person does not see. A plan
may go on: a path is the moves of both in turn, the other's first, as text with blanks between them.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db.models import QuerySet

from boneyard.engine import moves as notation
from boneyard.engine.layout import Laid, Layout
from boneyard.engine.moves import PASS, Move, leads
from boneyard.engine.perspective import View
from boneyard.engine.terms import Terms
from boneyard.engine.tiles import mask_of
from games.models import ConditionalMove, Match, Seat

# The condition that every play and pass fulfils. It can only be the first of a path.
ANY = ""
MAX_ANSWERS = 4  # of one path
MAX_LINES = 24  # that follow an answer


class Step(NamedTuple):
    """An answer that is planned: the path that leads to it, which ends with its condition, and the answer."""

    path: str
    move: str

    @property
    def whole(self) -> str:
        """Return the path including the answer."""
        return f"{self.path} {self.move}"

    @property
    def number(self) -> int:
        """Return how many answers this one makes with those before it."""
        return len(self.path.split(" ")) // 2 + 1


def may_plan(match: Match, terms: Terms, turn: int | None, seat: int | None) -> bool:
    """Return whether this seat may plan moves: it waits for the other of two players, who may take days.

    Not where points are called, as a move says its claim there.
    """
    is_waiting = seat is not None and turn is not None and turn != seat
    is_suitable = match.days is not None and terms.seats == 2 and not terms.must_claim
    return is_suitable and is_waiting and match.playing and not match.concealed


def list_answers(view: View) -> dict[str, tuple[Move, ...]]:
    """Return, by condition, the plays of a single tile that may be legal after it.

    The conditions are each play of a single tile that the viewer does not see, a pass if it may come, and `ANY`.
    """
    hand = mask_of(view.hand)
    found = {condition: view.layout_after(move).moves(hand) for condition, move in _list_plays(view)}
    if (layout := view.layout()) is not None:
        if _may_pass(view, layout):
            found[str(PASS)] = layout.moves(hand)
        found[ANY] = layout.moves(hand)
    return {condition: answers for condition, answers in found.items() if answers}


def _may_pass(view: View, layout: Layout) -> bool:
    """Return whether the other may pass. Where one draws first, only if none of all tiles that can be drawn fits."""
    terms = view.terms
    if view.boneyard <= view.reserve or not terms.drawable or terms.any_pass or terms.free_pass:
        return True
    return (layout.fits & view.unseen).bit_count() <= view.reserve


def list_later_answers(view: View, path: str) -> dict[str, tuple[Move, ...]]:
    """Return the same after a path that ends with an answer; nothing where the plan or the round would be over."""
    moves = parse_path(path)
    after = see_after(view, moves)
    others = [tiles for seat, tiles in enumerate(after.tiles) if seat != after.seat]
    is_over = not after.hand or (view.rules.draw == "none" and 0 in others)
    if is_over or len(moves) // 2 >= MAX_ANSWERS:
        return {}
    return {condition: answers for condition, answers in list_answers(after).items() if condition != ANY}


def parse_path(path: str) -> list[Move]:
    """Return the moves of a path. Raise `Malformed`."""
    return [notation.parse(text) for text in path.split(" ")]


def see_after(view: View, moves: Iterable[Move]) -> View:
    """Return what the viewer would see after these moves, the other's first. Raise `Illegal` if one does not fit."""
    own = view.seat or 0
    for number, move in enumerate(moves):
        if move.kind == "play":
            view = _see_after_play(view, move, own if number % 2 else 1 - own)
    return view


def _see_after_play(view: View, move: Move, seat: int) -> View:
    layout = view.layout_after(move)
    tile, end = move.plays[0]
    tiles = [left - (each == seat) for each, left in enumerate(view.tiles)]
    return view._replace(
        laid=(*view.laid, Laid(tile, end, seat)),
        ends=layout.ends,
        spinner=layout.spinner,
        count=layout.count if view.rules.adds_ends else None,
        hand=tuple([held for held in view.hand if held != tile]),
        tiles=tuple(tiles),
        seen=view.seen | 1 << tile,
        named=None,
    )


def _list_plays(view: View) -> Iterator[tuple[str, Move]]:
    """Yield the other's possible plays with their text."""
    layout = view.layout()
    for move in leads(view.unseen) if layout is None else layout.moves(view.unseen):
        yield str(move), move


def list_planned(seat: Seat) -> list[ConditionalMove]:
    """Return the conditional moves of this seat's person, the one for any move last."""
    return sorted(_planned_by(seat), key=lambda row: (row.condition == ANY, row.pk))


def list_steps(rows: Iterable[ConditionalMove]) -> list[Step]:
    """Return all planned answers, each before those that follow it."""
    steps = []
    for row in rows:
        steps.append(Step(row.condition, row.move))
        for line in sorted(split_lines(row.then)):
            path, _, move = f"{row.condition} {row.move} {line}".rpartition(" ")
            steps.append(Step(path, move))
    return steps


def split_lines(then: str) -> list[str]:
    """Return what is planned after an answer: paths from there, each ending with an answer."""
    return then.split("\n") if then else []


def change_lines(then: str, path: str, move: str) -> str | None:
    """Return what is planned after an answer with `move` at `path`, a path from there, or without it if it is empty.

    Return None where the answer before it is not planned, or too much is.
    """
    lines, before = split_lines(then), path.rpartition(" ")[0]
    if before and before not in lines:
        return None
    kept = [line for line in lines if line.rpartition(" ")[0] != path and not line.startswith(f"{path} ")]
    added = [*kept, *([f"{path} {move}"] if move else [])]
    return "\n".join(added) if len(added) <= MAX_LINES else None


def follow_up(then: str) -> list[tuple[str, str, str]]:
    """Return the plans for the next turn, (condition, move, then), from those for after the answer played now."""
    plans: dict[tuple[str, str], list[str]] = {}
    for line in sorted(split_lines(then), key=len):
        condition, move, *rest = line.split(" ")
        later = plans.setdefault((condition, move), [])
        if rest:
            later.append(" ".join(rest))
    return [(condition, move, "\n".join(later)) for (condition, move), later in plans.items()]


def count_planned(seat: Seat) -> int:
    """Return the number of conditional moves of this seat's person."""
    return _planned_by(seat).count()


def _planned_by(seat: Seat) -> QuerySet[ConditionalMove]:
    return ConditionalMove.objects.filter(match=seat.match_id, user=seat.user_id)
