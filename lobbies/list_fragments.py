"""The shared lists of the lobby and of the page of all matches, as fragments."""

from collections import Counter
from collections.abc import Sequence

from django.utils.html import escape, format_html
from django.utils.translation import get_language, ngettext

from boneyard.engine.presets import PRESETS
from games.models import Match
from games.table.plate_fragments import render_plate
from games.table.public_view import render_drawing
from live.fragments.fragment import Fragment, element, render_fragment
from live.fragments.page_state import PageState
from live.open_sockets import count_people_here
from lobbies import lists, results, watching
from lobbies.watching import Featured, MatchCard, MatchFilter


def build_lobby_page(stranger: bool, still: bool = True) -> PageState:
    """Return open tables and some matches, or the last results if nobody plays.

    The lobby of a `stranger`, who is not logged in, also features one match, which is not replayed on a `still` page.
    """
    rows, number = watching.find_matches(watching.MAX_LOBBY_CARDS)
    language = get_language()
    tables = tuple(lists.find_open_tables())
    waiting = Counter[str]()
    for table in tables:
        waiting[table.preset] += table.people
    fragments = [
        render_fragment("lobbies/_open.html", language, tables=tables),
        render_fragment(
            "lobbies/_people.html", language, online=count_people_here(), waiting=waiting.total()
        ),
        *(_render_waiting(preset, waiting[preset]) for preset in PRESETS),
        render_fragment("lobbies/_playing.html", language, number=number),
        _render_cards(rows),
        render_fragment(
            "lobbies/_quiet.html",
            language,
            results=() if rows else results.find_last_results(),
            best=() if rows else results.find_best_gains(),
        ),
    ]
    if stranger:
        fragments.insert(0, _render_featured(watching.find_featured(rows, still)))
    return PageState(fragments)


def waiting_name(preset: str) -> str:
    """Return the name in `PageState.html_by_name` of what a quick-play tile says about who waits."""
    return f"waiting_{preset.replace('-', '_')}"


def _render_waiting(preset: str, number: int) -> Fragment:
    text = ngettext("%(n)s waits", "%(n)s wait", number) % {"n": number} if number else ""
    return element(f"waiting-{preset}", "small", ' class="tile-waiting"', escape(text))


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
