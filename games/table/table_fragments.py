"""The fragments of a match's page.

Each is rendered from the values that it depends on and nothing else (`render_fragment`), so that equal ones are
rendered once; what all viewers see is the same object for all of them.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from itertools import count

from django.utils.html import format_html

from boneyard.engine.perspective import View
from core.numbers import format_points
from games.drawing.line import draw_shapes
from games.drawing.marks import breakable_name, mark_reference
from games.drawing.tiles import keep_figures_together
from games.table import rack
from games.table.derived_cache import DerivedCache
from games.table.move_log import format_sum
from games.table.news import News
from games.table.panels import SideScore
from games.table.plate_fragments import render_plate
from games.table.public_view import render_drawing
from games.table.table_view import TableView
from games.wording import cached_by_language, goal_beside, goal_name
from games.wording import gettext as _
from live.fragments.fragment import MAX_CACHED_FRAGMENTS, Fragment, element, parse, render_fragment

# Cache: key code, language and shapes; bound MAX_CACHED_MATCHES; invalidated by another public view of the match.
_drawings = DerivedCache[View, tuple[Fragment, ...]]()


def render_fragments(table: TableView) -> Sequence[Fragment]:
    """Return the fragments in the page's order."""
    return (
        *_render_table(table),
        *_render_planning(table),
        *_render_interruptions(table),
        *_render_sidebar(table),
    )


def _render_table(table: TableView) -> Sequence[Fragment]:
    """Return the line of play, the boneyard, the hand and its buttons, the plates and the count."""
    public, view, hand, language = table.public, table.view, table.hand, table.language
    may_draw = table.may_draw
    draw, until_fits = (table.draw, table.draws_until_fits) if may_draw else (None, False)
    call = table.call if table.called else None
    watching = table.match.playing and table.seat is None
    planned = hand.planned_layout
    count = planned.count if planned else public.count
    return (
        Fragment("board", "div", rack.board_attributes(tuple(table.shapes)), children=_render_board(table)),
        render_fragment(
            "games/_claim.html", language, claims=table.claims, chosen=hand.chosen or hand.planned_text
        ),
        rack.render_boneyard(view, language, table.is_drawn_from, draw, until_fits),
        rack.render_hand(
            hand,
            table.seat is not None,
            table.automatic,
            _your_turn() if table.my_turn else "",
            table.moves_since,
        ),
        rack.render_actions(hand, language, call, table.pass_, table.playing, watching),
        Fragment(
            "seats",
            "div",
            ' class="around"',
            children=tuple([render_plate(plate, language) for plate in table.plates]),
        ),
        render_fragment(
            "games/_count.html",
            language,
            scoring=public.scoring,
            sum=element("sum", "span", ' class="parts"', format_sum(planned) if planned else public.sum),
            count=None if count is None else element("total", "b", "", str(count)),
        ),
    )


def _render_planning(table: TableView) -> Sequence[Fragment]:
    """Return what somebody who waits may do, in matches with a clock of days: leave, plan, change a plan."""
    if not table.match.days:
        return ()
    planning = render_fragment(
        "games/_planning.html",
        table.language,
        code=table.match.code if table.may_plan else "",
        planned=table.planned,
        may_leave=table.says_that_one_may_leave,
    )
    return (planning,)


def _render_interruptions(table: TableView) -> Sequence[Fragment]:
    """Return what interrupts play: absent players, the choice after a departure, the end of a round or of the match."""
    absent, prods, leaver = table.may_go_on_without, table.prods, table.leaver
    calls = table.last_calls_until
    interrupts = absent or prods.by or leaver or calls or table.halted
    if not (interrupts or table.round_panel or table.match_panel):
        return _render_no_interruptions(table.language)
    return (
        render_fragment(
            "games/_absent.html",
            table.language,
            absent=absent,
            rest=table.rest(absent and absent.until),
            halted=table.halted,
        ),
        render_fragment("games/_calls.html", table.language, until=calls, rest=table.rest(calls)),
        render_fragment(
            "games/_prod.html", table.language, by=prods.by, until=prods.until, rest=table.rest(prods.until)
        ),
        render_fragment(
            "games/_round_end.html",
            table.language,
            panel=table.round_panel,
            match=table.match_panel,
            code=table.match.code,
            seated=table.playing,
            charged=table.view.rules.lowest_wins,
        ),
        render_fragment(
            "games/_ending.html",
            table.language,
            panel=table.match_panel,
            seated=table.seat is not None,
            code=table.match.code,
            played=any(entry.move.kind == "play" for entry in table.view.log) or len(table.view.ended) > 1,
            rematch_code=table.rematch_code,
            shared_url=table.shared_url,
            deals=table.match.deals,
            concealed=table.match.concealed,
        ),
        render_fragment(
            "games/_leaver.html", table.language, leaver=leaver, rest=table.rest(leaver and leaver.until)
        ),
    )


# Cache: key the language; bound their number; invalidated by nothing.
@cache
def _render_no_interruptions(language: str | None) -> Sequence[Fragment]:
    """Return the same fragments while nothing interrupts play."""
    names = "absent", "calls", "prod", "round_end", "ending", "leaver"
    return tuple(render_fragment(f"games/_{name}.html", language) for name in names)


def _render_sidebar(table: TableView) -> Sequence[Fragment]:
    """Return the scores, facts, moves and talk beside the table, and the news for screen readers."""
    public, view, match, language, playing = (
        table.public,
        table.view,
        table.match,
        table.language,
        table.playing,
    )
    return (
        render_fragment(
            "games/_race.html",
            language,
            racers=tuple(map(_render_racer, count(), public.side_scores)),
            goal=goal_name(view.rules),
            charged=view.rules.lowest_wins,
            track=public.track or "",
            scores=element("scores", "p", ' class="visually-hidden"', escape(public.scores)),
        ),
        render_fragment(
            "games/_facts.html",
            language,
            round=table.round_on_table,
            past_round=table.past_round,
            code=match.code,
            rated=table.rated,
            shared_address=match.casual_since is not None,
            clock=table.clock,
            differences=table.differences,
        ),
        render_fragment("games/_spectators.html", language, spectators=table.spectators),
        Fragment("moves", "ol", _moves_attributes(), children=public.moves),
        render_fragment(
            "games/_peek.html", language, newest=_render_newest(table), round=table.round_on_table
        ),
        render_fragment(
            "games/_talk.html",
            language,
            lines=table.lines,
            may_report=table.may_talk and any([not line.own for line in table.lines]),
        ),
        render_fragment("games/_quick_replies.html", language, replies=table.quick_replies),
        render_fragment(
            "games/_leave.html",
            language,
            code=match.code,
            playing=playing,
            over="" if match.playing or match.concealed else match.code,
            help_from=match.code if table.may_be_helped else "",
            ask=render_fragment("games/_ask.html", language, name=table.may_prod) if playing else None,
            may_leave=not match.concealed,
            may_abort=view.may_abort,
            calling_off_costs=table.calling_off_costs,
            confirm_resign=table.confirm_resign,
        ),
        Fragment(
            "news",
            "ol",
            ' class="news" hidden',
            children=(_render_opening(table), *map(_render_news, table.recent_news)),
        ),
    )


def _render_opening(table: TableView) -> Fragment:
    return Fragment("opening", "li", f' data-round="{table.view.round}"', escape(table.opening))


@lru_cache(MAX_CACHED_FRAGMENTS)
def _render_news(news: News) -> Fragment:
    ends = (element("open", "span", "", escape(news.ends)),) if news.ends else ()
    last = " data-last" if news.is_last else ""
    return Fragment(f"news-{news.number}", "li", last, children=(escape(news.sentence), *ends))


def _render_board(table: TableView) -> tuple[Fragment, ...]:
    line, words = _render_lines(table), table.public.line_words
    if table.round_panel is not None:
        return (*line, words)
    places = rack.render_places(table.hand, table.shapes)
    lead = (_render_lead(table),) if table.lead else ()
    return (*line, *places, *lead, words)


def _render_lines(table: TableView) -> tuple[Fragment, ...]:
    """Return the line of play in the shapes that the page displays, rendered for the first viewer of a language."""
    view, shapes = table.public.view, tuple(table.shapes)
    key = table.match.code, table.language, shapes
    return _drawings.get(key, view, lambda _before: tuple(map(render_drawing, draw_shapes(view, shapes))))


@cached_by_language
def _moves_attributes() -> str:
    return f' class="moves" tabindex="0" aria-label="{_("Moves of this round")}"'


def _render_lead(table: TableView) -> Fragment:
    """Return who leads, under the game and what ends it."""
    goal = goal_beside(table.game, table.view.rules, short=False)
    game = format_html("<b>{}</b>", f"{table.game} · {goal}" if goal else table.game)
    # Without the inner element the grid would put each tile's name on a line of its own.
    sentence = f"<span>{keep_figures_together(table.lead)}</span>"
    return Fragment("lead-note", "p", ' class="lead-note"', f"{game}{sentence}")


def _render_newest(table: TableView) -> tuple[Fragment, ...]:
    """Return the newest move for the bar on a phone; after the match its result, with the mark of the side it names."""
    panel, result = table.match_panel, table.view.result
    if panel is None or result is None:
        return table.public.newest_move
    sides = result.winners if table.seat is None else (table.view.terms.side_of[table.seat],)
    mark = (
        parse(mark_reference(sides[0], "newest-mark"))
        if len(sides) == 1
        else element("newest-mark", "i", "", "")
    )
    return mark, element("newest", "span", "", escape(panel.title))


@lru_cache(MAX_CACHED_FRAGMENTS)
def _render_racer(number: int, side: SideScore) -> Fragment:
    name = format_html(
        '<span>{} <span class="player-name">{}</span></span>', side.mark, breakable_name(side.names)
    )
    return Fragment(
        f"racer-{number}",
        "div",
        ' class="racer"',
        children=(name, element(f"score-{number}", "b", "", format_points(side.score))),
    )


@cached_by_language
def _your_turn() -> str:
    return _("Your turn")
