"""The lists that all viewers of the lobby share, and those of the page of all matches, as parts: a page is sent only
what has changed since its last frame (live.fragments.fragment)."""

from collections.abc import Sequence
from itertools import chain

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.models import Match
from games.table.public_view import drawn
from games.table.table_fragments import plate_part
from live.fragments.fragment import Part, changes, element, frame, render
from lobbies import lists, results, watching
from lobbies.watching import Featured, Wanted, Watched


class Lists:
    """The parts of such a page, by id. What brings another page up to it is made once for all that show the same."""

    def __init__(self, *parts: Part) -> None:
        self.parts = {part.id: part for part in parts}
        self.stamp = " ".join(part.stamp for part in parts)
        self._frames: dict[str, str] = {}

    def whole(self) -> str:
        return "".join(part.html(' hx-swap-oob="morph"') for part in self.parts.values())

    def after(self, before: "Lists") -> str:
        """The fragments for a page that shows `before`; "" if that is the same."""
        if before.stamp not in self._frames:
            changed = (changes(before.parts[id], part) for id, part in self.parts.items())
            self._frames[before.stamp] = frame(chain.from_iterable(changed))
        return self._frames[before.stamp]

    @property
    def in_page(self) -> dict[str, SafeString]:
        """The elements for the page's template, by their ids in its spelling."""
        return {id.replace("-", "_"): part.html() for id, part in self.parts.items()}


def lobby_lists(stranger: bool) -> Lists:
    """The open tables and some matches; if nobody plays, the last results. A stranger also sees one match large."""
    rows, number = watching.some(watching.CARDS)
    nobody, language = not rows, get_language()
    return Lists(
        *([_featured(watching.featured(rows))] if stranger else []),
        render("lobbies/_open.html", language, tables=tuple(lists.open_tables())),
        render("lobbies/_playing.html", language, number=number),
        _cards(rows),
        render(
            "lobbies/_quiet.html",
            language,
            results=results.last_results() if nobody else (),
            best=results.best_today() if nobody else (),
        ),
    )


def watch_lists(wanted: Wanted) -> Lists:
    """The best of the matches that are wanted large, and all of them small."""
    rows, number = watching.some(watching.MOST, wanted)
    language = get_language()
    return Lists(
        _featured(watching.featured(rows)),
        render("lobbies/_playing.html", language, number=number),
        _cards(rows[1:]),
    )


def _cards(rows: Sequence[Match]) -> Part:
    return Part(
        "cards", "div", ' class="games"', children=tuple(_card(watching.watched(row)) for row in rows)
    )


def _card(match: Watched) -> Part:
    words = escape(match.board_in_words)
    board = Part(
        f"board-{match.code}",
        "span",
        f' class="felt" role="img" aria-label="{words}"',
        children=(drawn(match.board, f"of-{match.code}-", "mini"),),
    )
    sides = (
        element(
            f"side-{match.code}-{number}",
            "span",
            ' class="side-line"',
            format_html('{}<span class="player-name">{}</span><b>{}</b>', side.mark, side.names, side.score),
        )
        for number, side in enumerate(match.sides)
    )
    game = element(f"game-{match.code}", "em", "", escape(match.game))
    return Part(
        f"watch-{match.code}", "a", f' class="game" href="{match.address}"', children=(board, game, *sides)
    )


def _featured(match: Featured | None) -> Part:
    if match is None or match.board is None:
        return Part("featured", "div", ' class="featured" hidden', children=())
    language = get_language()
    about = render("lobbies/_about.html", language, match=match._replace(board=None, plates=()))
    count = render("games/_count.html", language, scoring=match.scoring, sum=match.sum, count=match.count)
    board = Part("board", "div", ' class="board"', children=(drawn(match.board, name="mini"),))
    plates = (plate_part(plate, language) for plate in match.plates)
    title = escape(match.title)
    way = Part("way", "a", f' class="cover" href="{match.address}" aria-label="{title}"')
    table = Part(
        "large",
        "section",
        f' class="table seats-{len(match.plates)}" aria-label="{title}"',
        children=(*plates, count, board, way),
    )
    words = element("line-words", "p", ' class="visually-hidden"', match.words)
    return Part("featured", "div", ' class="featured"', children=(table, words, about))
