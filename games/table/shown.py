"""What a page of a match shows to its viewer, part by part, and the frames that bring another page up to it.

Every part is made from what it depends on and nothing else (`parts.render`), so that the same is made once; what all
viewers see alike are the same objects for all of them.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from html import escape
from itertools import count
from zlib import crc32

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.board import Shape
from games.drawing.line import drawings
from games.drawing.marks import mark_used
from games.drawing.spots import spots
from games.table.common import drawn
from games.table.context import Table
from games.table.hand import Held
from games.table.news import News
from games.table.panels import SideScore
from games.table.parts import KEPT, Change, Changes, Part, changes, element, frame, read, render
from games.table.plates import BACKS, Plate, tiles_in_words
from games.templatetags.icons import icon
from games.wording import remembered


class Shown:
    """The parts of one viewer's page, by id and in the page's order.

    `stamp` is the version and a sum of all parts: what a page of the same stamp shows is the same, but for the number
    of spectators, of whom every page is told apart.
    """

    def __init__(self, table: Table) -> None:
        self.version = table.version
        self.parts = {part.id: part for part in _parts(table)}
        stamps = "".join(part.stamp for part in self.parts.values() if part.id != "spectators")
        self.stamp = f"{self.version}v{crc32(stamps.encode()):x}"
        self._address = _sync_address(table.match.code)
        self._moment = {"data-now": f"{table.now.timestamp() * 1000:.0f}", "data-turn": table.whose_turn}
        if table.calls_until:
            self._moment["data-wait"] = table.calls_until.isoformat()
        self._frames: dict[str, str] = {}

    def whole(self, refusal: str = "", done: str = "") -> str:
        """The fragments that bring any page of this viewer up to date, each to be swapped where its id is; and why
        something was refused, or what was done."""
        swap = ' hx-swap-oob="morph"'
        parts = "".join(part.html(self._marks(part) + swap) for part in self.parts.values())
        sync = self._sync(' hx-swap-oob="true"')
        return f"{sync}{self._number(swap)}{parts}{told(refusal, done)}"

    def after(self, before: "Shown") -> str | None:
        """The fragments for a page that shows `before`; None if that is the same."""
        if before.stamp == self.stamp:
            return None
        if before.stamp not in self._frames:
            self._frames[before.stamp] = self._after(before)
        return self._frames[before.stamp]

    def _after(self, before: "Shown") -> str:
        moment = Change("sync", tuple({**dict.fromkeys(before._moment), **self._moment}.items()))
        changed: Changes = [moment]
        for id, part in self.parts.items():
            if part is not before.parts[id]:
                changed += changes(before.parts[id], part, self._marks(part))
        about = f' data-version="{self.version}" data-stamp="{self.stamp}" data-after="{before.stamp}"'
        return frame(changed, about)

    @cached_property
    def in_page(self) -> dict[str, SafeString]:
        """The whole elements for the page's template, by their ids in its spelling."""
        found = {id.replace("-", "_"): part.html(self._marks(part)) for id, part in self.parts.items()}
        return found | {"version": mark_safe(self._number()), "sync": mark_safe(self._sync())}  # noqa: S308

    def _marks(self, part: Part) -> str:
        return f' data-version="{self.version}" data-stamp="{part.stamp}"'

    def _number(self, swap: str = "") -> str:
        """The version that a move names."""
        return (
            f'<input type="hidden" id="version" name="version" value="{self.version}"'
            f' data-version="{self.version}"{swap}>'
        )

    def _sync(self, extra: str = "") -> str:
        """What asks for the page anew; its script says what the page shows then."""
        moment = "".join(f' {name}="{value}"' for name, value in self._moment.items())
        return (
            f'<div id="sync" data-stamp="{self.stamp}"{extra} data-version="{self.version}"{moment}'
            f' hx-get="{self._address}" hx-trigger="every 20s, due" hx-swap="none"></div>'
        )


@lru_cache(KEPT)
def _sync_address(code: str) -> str:
    return reverse("match-sync", args=[code])


def parts(table: Table, *, refusal: str = "", done: str = "") -> str:
    """The fragments that bring a page of this viewer up to date, each to be swapped where its id is."""
    return Shown(table).whole(refusal, done)


def told(refusal: str = "", done: str = "") -> str:
    """The fragment that tells why something was refused, or what was done; "" if it is neither."""
    if not refusal and not done:
        return ""
    role = "alert" if refusal else "status"
    return format_html('<p id="refusal" role="{}" hx-swap-oob="morph">{}</p>', role, refusal or done)


def _parts(table: Table) -> Iterator[Part]:
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
    line, words = map(drawn, drawings(table.common.view, table.shapes)), table.common.words
    if table.round_panel is not None:
        return (*line, words)
    found = spots(table.view, table.hand.spots, table.shapes)
    places = (element(id, "svg", attributes, art) for id, attributes, art in found)
    lead = () if table.view.laid or not table.common.lead else (_lead(table.common.lead),)
    return (*line, *places, *lead, words)


@remembered
def _around_board(shapes: tuple[Shape, ...]) -> str:
    shape = f' data-shape="{shapes[0]}"' if len(shapes) == 1 else ""
    return f' class="board"{shape} role="group" aria-label="{_("The line of play")}"'


@remembered
def _around_moves() -> str:
    return f' class="moves" tabindex="0" aria-label="{_("Moves of this round")}"'


def _lead(sentence: str) -> Part:
    return Part("lead-note", "p", ' class="lead-note"', escape(sentence))


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
    """For the bar of a phone: the newest move, and at last how the match ended."""
    panel, result = table.match_panel, table.view.result
    if panel is None or result is None:
        return table.common.newest
    won = mark_used(result.winners[0], "newest-mark") if len(result.winners) == 1 else None
    drawn = read(won) if won else element("newest-mark", "i", "", "")
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
        fact=_place(f"fact-{plate.seat}"),
        backs=None if plate.mine else _place(f"backs-{plate.seat}"),
        clock=None if plate.seconds is None else _place(f"clock-{plate.seat}"),
    )
    turn = " data-turn" if plate.on_turn else ""
    lacks = f' title="{escape(plate.lacks)}"' if plate.lacks else ""
    return sitter.filled(f' class="{plate.classes}"{turn}{lacks}', *changing)


@cache
def _place(id: str) -> Part:
    """Where the part of this id will be."""
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
