"""What a page of a match is made of, part by part.

Every part is made from what it depends on and nothing else (`parts.render`), so that the same is made once; what all
viewers see alike are the same objects for all of them.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from html import escape
from itertools import count

from django.utils.html import conditional_escape, format_html
from django.utils.translation import gettext as _

from games.board import Shape
from games.drawing.line import drawings
from games.drawing.marks import mark_used
from games.drawing.spots import spots
from games.drawing.tiles import unbroken
from games.engine.perspective import View
from games.table.derived_cache import Latest
from games.table.hand import Held
from games.table.news import News
from games.table.panels import SideScore
from games.table.plates import BACKS, Plate, tiles_in_words
from games.table.public_view import drawn
from games.table.table_view import Table
from games.templatetags.icons import icon
from games.wording import remembered
from live.fragments.fragment import KEPT, Part, element, read, render

_drawn_last = Latest[View, tuple[Part, ...]]()


def page_parts(table: Table) -> Iterator[Part]:
    """In the page's order."""
    yield from _felt(table)
    yield from _what_stops_play(table)
    yield from _rail(table)


def _felt(table: Table) -> Iterator[Part]:
    """The line, the boneyard, the hand and its buttons, the plates, the count."""
    common, view, match = table.common, table.view, table.match
    yield Part("board", "div", _around_board(tuple(table.shapes)), children=_board(table))
    yield render("games/_claim.html", table.language, claims=table.claims)
    yield render(
        "games/_bone.html",
        table.language,
        shown=table.is_drawn_from,
        lies=match.playing and view.boneyard > 0,
        heap=element("heap", "span", ' class="pile"', table.heap),
        tiles=element("boneyard-left", "b", "", str(view.boneyard)),
        stay=table.tiles_kept,
        in_words=element(
            "boneyard-words", "span", ' class="visually-hidden"', escape(table.boneyard_in_words)
        ),
        draw=render("games/_draw.html", table.language, draw=table.draw) if table.may_draw else None,
    )
    yield _hand(table)
    yield _acts(table)
    plates = tuple(plate_part(plate, table.language) for plate in table.plates)
    yield Part("seats", "div", ' class="around"', children=plates)
    yield render(
        "games/_count.html",
        table.language,
        scoring=common.scoring,
        sum=element("sum", "span", ' class="parts"', common.sum),
        count=None if common.count is None else element("total", "b", "", str(common.count)),
    )


def _what_stops_play(table: Table) -> Iterator[Part]:
    """Somebody who is away, waited for or gone, and the ends of a round and of the match."""
    absent, prods, leaver = table.may_go_on_without, table.prods, table.leaver
    if not (absent or prods.by or leaver or table.round_panel or table.match_panel):
        yield from _undisturbed(table.language)
        return
    yield render(
        "games/_absent.html", table.language, absent=absent, rest=table.rest(absent and absent.until)
    )
    yield render(
        "games/_prod.html", table.language, by=prods.by, until=prods.until, rest=table.rest(prods.until)
    )
    yield render(
        "games/_round_end.html",
        table.language,
        panel=table.round_panel,
        match=table.match_panel,
        seated=table.playing,
    )
    yield render(
        "games/_ending.html",
        table.language,
        panel=table.match_panel,
        seated=table.seat is not None,
        code=table.match.code,
        studied=table.match.version > 0,
        rematch_code=table.rematch_code,
    )
    yield render(
        "games/_leaver.html", table.language, leaver=leaver, rest=table.rest(leaver and leaver.until)
    )


@cache
def _undisturbed(language: str | None) -> tuple[Part, ...]:
    """The same parts while there is none of that."""
    names = "absent", "prod", "round_end", "ending", "leaver"
    return tuple(render(f"games/_{name}.html", language) for name in names)


def _rail(table: Table) -> Iterator[Part]:
    """The race, the facts, the moves, the talk, and what screen readers are told."""
    common, view, match = table.common, table.view, table.match
    racers = tuple(map(_racer, count(), common.side_scores))
    yield render(
        "games/_race.html", table.language, racers=racers, target=view.rules.target, track=common.track
    )
    yield render(
        "games/_facts.html",
        table.language,
        round=table.round_on_table,
        rated=table.rated,
        clock=table.clock,
        house=table.house_chips,
    )
    yield render("games/_spectators.html", table.language, spectators=table.spectators)
    yield Part("moves", "ol", _around_moves(), children=common.moves)
    yield render("games/_peek.html", table.language, newest=_newest(table), round=table.round_on_table)
    yield render("games/_talk.html", table.language, lines=table.lines, may_talk=table.may_talk)
    yield render("games/_quick_replies.html", table.language, replies=table.quick_replies)
    yield render(
        "games/_leave.html",
        table.language,
        playing=table.playing,
        over="" if match.playing else match.code,
        help_from=match.code if table.may_be_helped else "",
        ask=render("games/_ask.html", table.language, name=table.may_prod) if table.playing else None,
        may_abort=view.may_abort,
        calling_off_costs=table.calling_off_costs,
        confirm_resign=table.confirm_resign,
    )
    yield Part(
        "news", "ol", ' class="news" hidden', children=(_opening(table), *map(_sentence, table.latest_news))
    )


def _opening(table: Table) -> Part:
    return Part("opening", "li", f' data-round="{table.view.round}"', escape(table.opening))


@lru_cache(KEPT)
def _sentence(news: News) -> Part:
    ends = (element("open", "span", "", escape(f": {news.ends}")),) if news.ends else ()
    return Part(f"news-{news.number}", "li", "", children=(escape(news.sentence), *ends))


def _board(table: Table) -> tuple[Part, ...]:
    line, words = _lines(table), table.common.words
    if table.round_panel is not None:
        return (*line, words)
    found = spots(table.view, table.hand.spots, table.shapes)
    places = (element(id, "svg", attributes, art) for id, attributes, art in found)
    lead = () if table.view.laid or not table.common.lead else (_lead(table.common.lead),)
    return (*line, *places, *lead, words)


def _lines(table: Table) -> tuple[Part, ...]:
    """The line in the shapes that the page shows: made for the first viewer of a language."""
    view, shapes = table.common.view, tuple(table.shapes)
    key = table.match.code, table.language, shapes
    return _drawn_last.of(key, view, lambda _before: tuple(map(drawn, drawings(view, shapes))))


@remembered
def _around_board(shapes: tuple[Shape, ...]) -> str:
    shape = f' data-shape="{shapes[0]}"' if len(shapes) == 1 else ""
    return f' class="board"{shape} role="group" aria-label="{_("The line of play")}"'


@remembered
def _around_moves() -> str:
    return f' class="moves" tabindex="0" aria-label="{_("Moves of this round")}"'


def _lead(sentence: str) -> Part:
    # In one element, as what lays it out in the middle would put a tile's name on a line of its own.
    return Part("lead-note", "p", ' class="lead-note"', f"<span>{unbroken(sentence)}</span>")


def _acts(table: Table) -> Part:
    called, plans, playing = table.called, table.hand.plans, table.playing
    return render(
        "games/_acts.html",
        table.language,
        playing=playing,
        watching=table.match.playing and table.seat is None,
        call=render("games/_call.html", table.language, call=table.call) if playing and called else None,
        together=_together(table) if playing and plans else None,
        pass_=render("games/_pass.html", table.language, pass_=table.pass_)
        if playing and (table.pass_.legal or not plans)
        else None,
    )


def _together(table: Table) -> Part:
    return render(
        "games/_together.html",
        table.language,
        together=table.together,
        together_words=table.together_words,
        planned=table.planned,
        why_not_together=table.why_not_together,
    )


def _newest(table: Table) -> tuple[Part, ...]:
    """For the bar of a phone: the newest move, and at last how the match ended, with the mark of whom it speaks of."""
    panel, result = table.match_panel, table.view.result
    if panel is None or result is None:
        return table.common.newest
    sides = result.winners if table.seat is None else (table.view.terms.side_of[table.seat],)
    drawn = (
        read(mark_used(sides[0], "newest-mark")) if len(sides) == 1 else element("newest-mark", "i", "", "")
    )
    return drawn, element("newest", "span", "", escape(panel.title))


@lru_cache(KEPT)
def _racer(number: int, side: SideScore) -> Part:
    name = format_html('<span>{} <span class="player-name">{}</span></span>', side.mark, side.names)
    return Part(
        f"racer-{number}",
        "div",
        ' class="racer"',
        children=(name, element(f"score-{number}", "b", "", str(side.score))),
    )


def plate_part(plate: Plate, language: str | None) -> Part:
    """Who sits there changes seldom, what they did and hold with every move."""
    changing = [_fact(plate)]
    if not plate.mine:
        changing.append(_backs(plate))
    if plate.seconds is not None:
        changing.append(_clock(plate))
    sitter = render(
        "games/_plate.html",
        language,
        seat=plate.seat,
        mark=plate.mark,
        icon_name=plate.icon,
        level=plate.level,
        strength=plate.strength,
        partner=plate.partner,
        initial=plate.initial,
        name=plate.name,
        url=plate.url,
        net=plate.net,
        net_word=plate.net_word,
        rating=plate.rating,
        kind=plate.kind,
        completion=plate.completion,
        fact=_to_be_filled(f"fact-{plate.seat}"),
        backs=None if plate.mine else _to_be_filled(f"backs-{plate.seat}"),
        clock=None if plate.seconds is None else _to_be_filled(f"clock-{plate.seat}"),
    )
    turn = " data-turn" if plate.on_turn else ""
    lacks = f' title="{escape(plate.lacks)}"' if plate.lacks else ""
    return sitter.filled(f' class="{plate.classes}"{turn}{lacks}', *changing)


@cache
def _to_be_filled(id: str) -> Part:
    """Where `Part.filled` puts the part of this id."""
    return Part(id, "i", "")


def _fact(plate: Plate) -> Part:
    lacks = f'<span class="visually-hidden">; {escape(plate.lacks)}</span>' if plate.lacks else ""
    return element(
        f"fact-{plate.seat}", "span", ' class="subline"', f"{conditional_escape(plate.fact)}{lacks}"
    )


def _backs(plate: Plate) -> Part:
    held = f' data-held="{plate.tiles}" aria-label="{escape(tiles_in_words(plate.tiles))}"'
    return element(f"backs-{plate.seat}", "span", f' class="backs" role="img"{held}', BACKS)


def _clock(plate: Plate) -> Part:
    deadline = plate.deadline.isoformat() if plate.deadline else ""
    low = " is-low" if plate.low else ""
    attributes = format_html(
        ' class="clock{}" role="timer" aria-label="{}" data-seconds="{}"{}',
        low,
        _("Time left"),
        f"{plate.seconds:.1f}",
        format_html(' data-deadline="{}"', deadline) if deadline else "",
    )
    return _clock_of(plate.seat, attributes, plate.clock)


@lru_cache(KEPT)
def _clock_of(seat: int, attributes: str, face: str) -> Part:
    return Part(
        f"clock-{seat}",
        "time",
        attributes,
        children=(icon("clock", "s"), element(f"face-{seat}", "span", "", face)),
        drifts=True,
    )


def _hand(table: Table) -> Part:
    hand = table.hand
    whose = f' role="group" aria-label="{escape(hand.in_words)}"' if table.seat is not None else " hidden"
    moves = f' data-legal="{escape(table.legal)}" data-auto="{escape(table.automatic)}"'
    moves += f' data-wants="{hand.wants}"' if hand.wants else ""
    moves += " data-ahead" if hand.plays_ahead else ""
    return Part(
        "hand", "div", f' class="{hand.classes}"{moves}{whose}', children=tuple(map(_held, hand.tiles))
    )


@lru_cache(KEPT)
def _held(held: Held) -> Part:
    tile = f' data-tile="{held.tile}" aria-label="{held.tile}"{held.own}'
    return Part(f"held-{held.tile}", "button", tile, held.art, alike=held.alike)
