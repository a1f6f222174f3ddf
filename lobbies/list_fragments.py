"""The shared lists of the lobby and of the page of all matches, as fragments."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

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
from lobbies.watching import Featured, Found, MatchCard, MatchFilter, MatchLine, players_of

MAX_UNFOLDED_TABLES = 3  # so that the page stays short on a phone


class Playing(NamedTuple):
    """The matches to watch in the lobby: lines of the best ones, with the keys of who plays in all that there are."""

    found: Found
    lines: tuple[MatchLine, ...]

    def names(self, reader: int) -> bool:
        return any(reader in people for people in self.found.people)

    def render(self, reader: int | None = None) -> Fragment:
        """Return the list without the reader's own matches, which the felt shows."""
        pairs = zip(self.found.rows, self.lines, strict=True)
        others = tuple(line for row, line in pairs if reader not in players_of(row))
        return render_fragment(
            "lobbies/_playing_now.html",
            get_language(),
            matches=others,
            more=self.found.count_for(reader) - len(others),
            has_own=len(others) < len(self.lines),
        )


NOBODY_PLAYS = Playing(Found([], ()), ())


class LobbyPage(PageState):
    """The lobby. What each reader sees besides is made of `tables`, those with a free seat (`for_reader`).

    `seating` is equal for pages with the same people at the same tables.
    """

    def __init__(
        self, fragments: Iterable[Fragment], tables: Sequence[Table], playing: Playing = NOBODY_PLAYS
    ) -> None:
        super().__init__(fragments)
        self.tables = tables
        self.playing = playing
        self.seating = tuple(
            (table.code, tuple(sitting.user_id for sitting in table.sittings.all())) for table in tables
        )
        # Cache: key the choice; bound by the games; invalidated with this page, when the next one replaces it.
        self._pages_of_visitors: dict[str, LobbyPage] = {}

    def for_reader(self, choice: Choice, reader: int | None) -> "LobbyPage":
        """Return the page with the reader's felt and chips, their own tables as theirs and without their own matches.

        `reader` is None for visitors. Where `names` the reader, call it in a thread that may query the database, in
        their language.
        """
        if reader is not None:
            return self._build_for(choice, reader)
        key = f"{choice.felt.checksum}{choice.chips.checksum}"
        if key not in self._pages_of_visitors:
            self._pages_of_visitors[key] = self._build_for(choice, None)
        return self._pages_of_visitors[key]

    def names(self, reader: int | None) -> bool:
        """Return whether the reader sits at a listed table or plays a listed match: their lists are made for them."""
        return reader is not None and (self._has_table_of(reader) or self.playing.names(reader))

    def _has_table_of(self, reader: int | None) -> bool:
        return any(reader in people for _code, people in self.seating)

    def _build_for(self, choice: Choice, reader: int | None) -> "LobbyPage":
        fragments = {**self.fragments, choice.felt.id: choice.felt, choice.chips.id: choice.chips}
        if reader is not None and self._has_table_of(reader):
            fragments |= {each.id: each for each in _render_open_tables(self.tables, reader)}
        if reader is not None and self.playing.names(reader):
            others = self.playing.render(reader)
            fragments[others.id] = others
        return LobbyPage(fragments.values(), self.tables, self.playing)


def build_lobby_page() -> LobbyPage:
    """Return what all readers of a language see: open tables and matches to watch, or the last results."""
    found = watching.find_matches(watching.MAX_LOBBY_LINES)
    tables = lists.load_open_tables()
    language = get_language()
    playing = Playing(found, tuple(watching.build_line(row) for row in found.rows))
    fragments = [
        render_fragment("lobbies/_people.html", language, online=count_people_here()),
        *_render_open_tables(tables, None),
        playing.render(),
        render_fragment(
            "lobbies/_quiet.html",
            language,
            results=() if found.rows else results.find_last_results(),
            best=() if found.rows else results.find_best_gains(),
        ),
    ]
    return LobbyPage(fragments, tables, playing)


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


class WatchPage(PageState):
    """The matches being played, the best one featured."""

    def __init__(self, fragments: Iterable[Fragment], found: Found, *, still: bool) -> None:
        super().__init__(fragments)
        self._found = found
        self._still = still

    def names(self, reader: int | None) -> bool:
        """Return whether the reader plays a match that is listed or counted."""
        return reader is not None and any(reader in people for people in self._found.people)

    def for_reader(self, reader: int | None) -> "WatchPage":
        """Return the page without the reader's own matches, unless there are no others.

        Where `names` the reader, call it in a thread that may query the database, in their language.
        """
        if not self.names(reader):
            return self
        others = [row for row in self._found.rows if reader not in players_of(row)]
        if not others:
            return self
        names = {f"watch-{row.code}" for row in others[1:]}
        cards = [card for card in self.fragments["cards"].children or () if isinstance(card, Fragment)]
        count = _render_count(self._found.count_for(reader))
        fragments = {
            **self.fragments,
            count.id: count,
            "cards": _frame_cards([card for card in cards if card.id in names]),
        }
        if others[0] is not self._found.rows[0]:
            fragments["featured"] = _render_featured(watching.find_featured(others, self._still))
        return WatchPage(fragments.values(), self._found._replace(rows=others), still=self._still)


def build_watch_page(match_filter: MatchFilter, still: bool = True) -> WatchPage:
    """Return the best match that passes the filter, featured, and cards of the others."""
    found = watching.find_matches(watching.MAX_WATCH_CARDS, match_filter)
    featured = _render_featured(watching.find_featured(found.rows, still))
    count = _render_count(len(found.people))
    return WatchPage([featured, count, _render_cards(found.rows[1:])], found, still=still)


def _render_count(number: int) -> Fragment:
    return render_fragment("lobbies/_playing.html", get_language(), number=number)


def _render_cards(rows: Sequence[Match]) -> Fragment:
    return _frame_cards([_render_card(watching.build_card(row)) for row in rows])


def _frame_cards(cards: Sequence[Fragment]) -> Fragment:
    return Fragment("cards", "div", ' class="games"', children=tuple(cards))


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
