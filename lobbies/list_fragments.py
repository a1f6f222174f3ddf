"""The shared lists of the lobby and of the page of all matches, as fragments."""

from collections.abc import Iterable, Sequence

from django.utils.html import escape, format_html
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Match
from games.table.plate_fragments import render_plate
from games.table.public_view import render_drawing
from live.fragments.fragment import Fragment, element, render_fragment
from live.fragments.page_state import PageState
from live.open_sockets import count_people_here
from lobbies import lists, results, watching
from lobbies.felt import Choice
from lobbies.models import Table
from lobbies.watching import Featured, MatchCard, MatchFilter

MAX_UNFOLDED_TABLES = 3  # so that the page stays short on a phone


class LobbyPage(PageState):
    """The lobby. What each reader sees besides is made of `tables`, those with a free seat (`for_reader`).

    `seating` is equal for pages with the same people at the same tables.
    """

    def __init__(self, fragments: Iterable[Fragment], tables: Sequence[Table]) -> None:
        super().__init__(fragments)
        self.tables = tables
        self.seating = tuple(
            (table.code, tuple(sitting.user_id for sitting in table.sittings.all())) for table in tables
        )
        # Cache: key the choice; bound by the games; invalidated with this page, when the next one replaces it.
        self._pages_of_visitors: dict[str, LobbyPage] = {}

    def for_reader(self, choice: Choice, reader: int | None) -> "LobbyPage":
        """Return the page with the reader's felt and chips, and with their own tables as theirs; None for visitors.

        Where `has_table_of` the reader, call it in a thread that may query the database, in their language.
        """
        if reader is not None:
            return self._build_for(choice, reader)
        key = f"{choice.felt.checksum}{choice.chips.checksum}"
        if key not in self._pages_of_visitors:
            self._pages_of_visitors[key] = self._build_for(choice, None)
        return self._pages_of_visitors[key]

    def has_table_of(self, reader: int | None) -> bool:
        """Return whether the reader sits at a listed table, so that the list is made for them alone."""
        return reader is not None and any(reader in people for _code, people in self.seating)

    def _build_for(self, choice: Choice, reader: int | None) -> "LobbyPage":
        fragments = {**self.fragments, choice.felt.id: choice.felt, choice.chips.id: choice.chips}
        if self.has_table_of(reader):
            fragments |= {each.id: each for each in _render_open_tables(self.tables, reader)}
        return LobbyPage(fragments.values(), self.tables)


def build_lobby_page() -> LobbyPage:
    """Return what all readers of a language see: open tables and matches to watch, or the last results."""
    rows, number = watching.find_matches(watching.MAX_LOBBY_LINES)
    tables = lists.load_open_tables()
    language = get_language()
    fragments = [
        render_fragment("lobbies/_people.html", language, online=count_people_here()),
        *_render_open_tables(tables, None),
        render_fragment(
            "lobbies/_playing_now.html",
            language,
            matches=tuple(watching.build_line(row) for row in rows),
            more=max(0, number - len(rows)),
        ),
        render_fragment(
            "lobbies/_quiet.html",
            language,
            results=() if rows else results.find_last_results(),
            best=() if rows else results.find_best_gains(),
        ),
    ]
    return LobbyPage(fragments, tables)


def _render_open_tables(rows: Sequence[Table], viewer: int | None) -> list[Fragment]:
    """Return the list of the viewer's own tables and those that have waited longest, and that of the others, folded."""
    language = get_language()
    built = [lists.build_open_table(row, viewer) for row in rows]
    built.sort(key=lambda table: not table.is_own)
    tables = [render_fragment("lobbies/_open_table.html", language, table=table) for table in built]
    first, others = tables[:MAX_UNFOLDED_TABLES], tables[MAX_UNFOLDED_TABLES:]
    return [
        Fragment("open-tables", "ul", "", children=tuple(first) or (_describe_no_tables(),)),
        render_fragment("lobbies/_more_tables.html", language, number=len(others)),
        Fragment("other-tables", "ul", "", children=tuple(others)),
    ]


def _describe_no_tables() -> Fragment:
    return element(
        "no-tables", "li", ' class="muted"', escape(_("No open tables. Create one, or play the computer."))
    )


def build_watch_page(match_filter: MatchFilter, still: bool = True) -> PageState:
    """Return the best match that passes the filter, featured, and cards of the others."""
    rows, number = watching.find_matches(watching.MAX_WATCH_CARDS, match_filter)
    featured = _render_featured(watching.find_featured(rows, still))
    count = render_fragment("lobbies/_playing.html", get_language(), number=number)
    return PageState([featured, count, _render_cards(rows[1:])])


def _render_cards(rows: Sequence[Match]) -> Fragment:
    return Fragment(
        "cards",
        "div",
        ' class="games"',
        children=tuple(_render_card(watching.build_card(row)) for row in rows),
    )


def _render_card(match: MatchCard) -> Fragment:
    label = escape(match.board_in_words)
    board = Fragment(
        f"board-{match.code}",
        "span",
        f' class="felt" role="img" aria-label="{label}"',
        children=(render_drawing(match.board, f"of-{match.code}-", "mini"),),
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
    return Fragment(
        f"watch-{match.code}", "a", f' class="game" href="{match.address}"', children=(board, game, *sides)
    )


def _render_featured(match: Featured) -> Fragment:
    assert match.board is not None  # it is taken out for the caption alone
    language = get_language()
    about = render_fragment("lobbies/_about.html", language, match=match._replace(board=None, plates=()))
    count = render_fragment(
        "games/_count.html", language, scoring=match.scoring, sum=match.sum, count=match.count
    )
    board = Fragment(
        "board", "div", ' class="board"', children=(render_drawing(match.board, css_class="mini"),)
    )
    plates = (render_plate(plate, language) for plate in match.plates)
    title = escape(match.title)
    link = Fragment("way", "a", f' class="cover" href="{match.address}" aria-label="{title}"')
    table = Fragment(
        "large",
        "section",
        f' class="table seats-{len(match.plates)}" aria-label="{title}"',
        children=(*plates, count, board, link),
    )
    words = element("line-words", "p", ' class="visually-hidden"', match.words)
    return Fragment("featured", "div", ' class="featured"', children=(table, words, about))
