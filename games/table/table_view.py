"""The table as one viewer may see it, built from perspectives alone: the data of their page.

What all viewers share comes from `public_view`; the hand, its spots and the buttons are the viewer's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils.safestring import SafeString

from boneyard.board import Shape
from boneyard.engine.matches import Match as Value
from boneyard.engine.moves import DRAW, MUGGINS, PASS
from boneyard.engine.perspective import View, perspective
from games import wording
from games.calling_off import is_penalized
from games.conditional_moves import count_planned, may_plan
from games.drawing.line import SHAPES
from games.drawing.tiles import draw_symbols
from games.models import Match, Seat
from games.models.talk import EMOTES
from games.seats import Viewer
from games.table import claims, scene, waiting
from games.table.audience import Audience, TalkLine
from games.table.bubbles import find_bubbles
from games.table.buttons import Button, build_button, find_automatic_move
from games.table.closing import Closing, find_closing
from games.table.hand import Hand
from games.table.news import MAX_NEWS, News, build_news, opening_sentence
from games.table.outcome import MatchPanel, build_match_panel, find_expiry
from games.table.panels import RoundPanel, build_round_panel, next_lead
from games.table.plates import Plate, Plates
from games.table.public_view import PublicView, address_viewer, get_public_view
from games.table.remarks import find_remark
from games.table.titles import name_game, name_sides
from games.table.turn_news import call_turn, describe_moves_since, describe_newest_moves
from games.table.visible_value import get_visible_value
from games.table.waiting import AbsentPlayer, Leaver, Prods
from games.time.clocks import describe_clock, format_clock, get_call_end
from games.time.outages import get_halt
from games.wording import gettext as _
from games.wording.differences import DifferenceLine
from operators.site_settings import get_maintenance_sentence


@dataclass(frozen=True)
class TableView:
    """The content of one viewer's page. `seat` is the viewer's own, None for a spectator."""

    match: Match
    view: View
    public: PublicView
    seat: int | None
    playing: bool  # the viewer plays in the match and has not left it
    plates: tuple[Plate, ...]
    hand: Hand
    draw: Button
    pass_: Button
    claims: tuple[int, ...]
    automatic: str
    absent: AbsentPlayer | None
    prods: Prods
    leaver: Leaver | None
    rated: bool  # a match becomes casual when a computer takes a seat
    spectators: int
    lines: tuple[TalkLine, ...]
    may_talk: bool
    muted: bool
    against_computers: bool  # all other seats, from the start
    confirm_resign: bool
    draws_singly: bool
    news: tuple[News, ...]
    round_news: tuple[News, ...]
    opening: str
    moves_since: str  # the viewer's own, for several other players on whom the viewer's turn follows
    calling_off_costs: bool  # calling the match off counts as resigning
    round_panel: RoundPanel | None
    match_panel: MatchPanel | None
    now: datetime
    language: str | None  # the active one
    steady: bool
    shapes: Sequence[Shape]  # of the board: those that the page displays
    planned: int = 0  # conditional moves of the viewer
    halted: str = ""  # why all matches stand still

    @property
    def version(self) -> int:
        return self.match.version

    @property
    def rematch_code(self) -> str:
        """Return the code of the rematch; not of a private one to a spectator, as the code lets anybody in."""
        return self.match.rematch_code if self.seat is not None or not self.match.private else ""

    @property
    def shared_url(self) -> str:
        """Return the address to share with the result; "" for a private match, as its address lets anybody in."""
        return "" if self.match.private else self.match.get_absolute_url()

    @cached_property
    def closing(self) -> Closing | None:
        return find_closing(self.match, self.now) if self.playing else None

    @property
    def seats(self) -> int:
        return self.view.seats

    @property
    def classes(self) -> str:
        """Return the CSS classes of the table."""
        states = {
            "is-called": self.called,
            "claims-many": self.many_claims,
            "is-watching": self.seat is None,
        }
        return " ".join(["table", f"seats-{self.seats}", *(name for name, holds in states.items() if holds)])

    @property
    def game(self) -> str:
        return name_game(self.match, self.view)

    @property
    def differences(self) -> tuple[DifferenceLine, ...]:
        """Return the house rules of a match, or the choices of its preset's source, a few words for each.

        Those of a set of deals are nobody's house rules.
        """
        rules, seats, preset = self.view.rules, self.seats, self.match.preset
        if preset is not None:
            return wording.describe_differences(preset, rules, seats, with_target=False).lines
        if self.match.deals:
            shared = _("the same deals for everybody")
            return (DifferenceLine("", (shared, *wording.house_chips(rules, seats, self.match.base_preset))),)
        return wording.describe_changed_match(rules, seats, self.match.base_preset).lines

    @property
    def title(self) -> str:
        by_seat = [plate.player.name for plate in sorted(self.plates, key=lambda plate: plate.seat)]
        return name_sides(self.view, by_seat)

    @property
    def clock(self) -> str:
        return describe_clock(self.match.clock)

    @property
    def called(self) -> bool:
        return self.view.terms.must_claim

    @property
    def call(self) -> Button:
        return Button(str(MUGGINS), self.view.may_call, "" if self.view.may_call else _("Nothing to call"))

    @property
    def many_claims(self) -> bool:
        """Return whether the numbers to claim need more than one row."""
        return self.called and len(claims.possible_points(self.view.terms)) > 8

    @property
    def shows_count(self) -> bool:
        return self.view.rules.adds_ends and not self.called

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.view.turn == self.seat

    @property
    def may_be_helped(self) -> bool:
        """Return whether the viewer may ask for hints."""
        return self.playing and self.against_computers and not (self.match.rated or self.match.concealed)

    @property
    def may_go_on_without(self) -> AbsentPlayer | None:
        """Return the absent player, if the viewer may go on without them now or soon."""
        return self.absent if self.playing else None

    @property
    def may_prod(self) -> str:
        """Return the name of the player whom the viewer may ask to move, or ""."""
        return self.prods.may if self.playing else ""

    @property
    def may_plan(self) -> bool:
        """Return whether the viewer may plan an answer to the other's move."""
        return self.playing and may_plan(self.match, self.view.terms, self.view.turn, self.seat)

    @property
    def says_that_one_may_leave(self) -> bool:
        """Return whether to say that the page may be closed: with a clock of days, in the first waits of a match."""
        view, other_moves = self.view, self.whose_turn == "other"
        if not (self.playing and self.match.days and other_moves) or view.ended:
            return False
        return sum(entry.seat == self.seat and entry.move.kind == "play" for entry in view.log) < 2

    @property
    def whose_turn(self) -> str:
        """Return "mine", "other", or "" while nobody is on turn."""
        if self.my_turn:
            return "mine"
        return "" if self.view.turn is None else "other"

    @property
    def say_something(self) -> str:
        """Return the placeholder of the field for talk."""
        return _("Say something to the spectators") if self.seat is None else _("Say something")

    @property
    def quick_replies(self) -> tuple[str, ...]:
        """Return the messages that players can send with one button."""
        if self.seat is None or self.muted:
            return ()
        return wording.quick_replies(self.match.playing)

    @property
    def emotes(self) -> tuple[tuple[str, str], ...]:
        """Return the emotes that the viewer may send, with their names."""
        if self.seat is None or self.muted or self.against_computers:
            return ()
        return wording.name_emotes(EMOTES)

    @property
    def has_personas(self) -> bool:
        """Return whether computers sit at the viewer's table who say something now and then."""
        return self.seat is not None and any([plate.player.icon for plate in self.plates])

    @property
    def lead(self) -> str:
        """Return who leads and why, before the first tile; for the leader also what may be led."""
        if self.view.laid:
            return ""
        return " ".join(filter(None, [self.public.lead, wording.lead_instruction(self.view)]))

    def rest(self, until: datetime | None) -> str:
        """Return the time left for a page without scripts; with scripts the page counts down itself."""
        if until is None or self.steady:
            return ""
        return format_clock(int(max(0.0, (until - self.now).total_seconds()))).partition(".")[0]

    @property
    def may_draw(self) -> bool:
        return self.playing and self.is_drawn_from

    @property
    def reload_seconds(self) -> int:
        """Return after how many seconds a page without scripts reloads.

        Without a clock of days it must be within the 45 seconds of presence. Less often on one's own turn, in which the
        page changes little, and soon while computers move, which takes a second or two.
        """
        if self.match.days:
            return 120
        if self.my_turn:
            return 30
        return 3 if self.against_computers and not self.round_panel else 8

    @property
    def draws_until_fits(self) -> bool:
        """Return whether one press draws until a tile fits; not where drawing is a choice."""
        return self.may_draw and not self.draws_singly and self.view.rules.draw == "until_playable"

    @property
    def calls_until(self) -> datetime | None:
        return get_call_end(self.match, self.now)

    @property
    def last_calls_until(self) -> datetime | None:
        """Return until when the play that ends the round can be called, while nobody is on turn; else None."""
        awaits_calls = self.match.playing and self.view.awaits_calls and not self.halted
        return self.match.wait_until if awaits_calls else None

    @property
    def is_drawn_from(self) -> bool:
        """Return whether the rules allow drawing: otherwise there is no heap and no button."""
        return self.match.playing and self.view.rules.draw != "none"

    @property
    def symbols(self) -> SafeString:
        """Return the SVG symbols of the set's tile halves; a page contains them once."""
        return draw_symbols(self.view.rules.set)

    @property
    def round_on_table(self) -> int:
        """Return the number of the displayed round: until the pause is over, the one that has ended."""
        return self.view.ended[-1].number if self.round_panel else self.view.round

    @property
    def past_round(self) -> int | None:
        """Return the number of the round before the displayed one, to look at again while the match is played."""
        before = [ended.number for ended in self.view.ended if ended.number < self.round_on_table]
        return before[-1] if before and self.match.playing else None

    @property
    def recent_news(self) -> tuple[News, ...]:
        """Return the newest moves, including the last ones of the round before."""
        return (*self.round_news, *self.news)[-MAX_NEWS:]

    @property
    def newest_sentence(self) -> str:
        """Return the last move of this round; at its start, how the round before ended. Say if it is my turn.

        Not the last tile of that round, as it may be in anybody's hand now.
        """
        opening = f"{self.public.previous_round} {self.opening}".strip()
        if not self.news:
            return call_turn(self.view, opening)
        has_moved = self.seat is None or any([entry.seat == self.seat for entry in self.view.log])
        begins = "" if has_moved or not self.opening else f"{self.opening} "  # with the hand
        newest = describe_newest_moves(self.view, self.news, may_be_planned=bool(self.match.days))
        return f"{begins}{self.moves_since or call_turn(self.view, newest)}"


def build_table_view(
    match: Match,
    value: Value,
    *,
    seat: Seat | None,
    user: Viewer,
    now: datetime,
    chosen: str = "",
    several: str = "",
    rows: Sequence[Seat] | None = None,
    audience: Audience | None = None,
    steady: bool = False,
    shapes: Sequence[Shape] = SHAPES,
) -> TableView:
    """Return the table for the viewer in `seat`.

    `chosen` and `several` are what the player has chosen on a page without scripts. `rows`, the seats, and `audience`
    are queried unless they are given. In a `steady` view a running clock stands at the start of the turn: the page's
    script counts down, and fragments with clocks stay equal during the turn.
    """
    rows = list(match.seats.select_related("user")) if rows is None else rows
    audience = audience or Audience(match, rows, now)
    presence = audience.presence
    names = tuple([row.display_name for row in rows])
    value = get_visible_value(match, value, seat.position if seat else None)
    public = get_public_view(match.code, value, names, match.preset)
    spectated = public.view
    view = perspective(value, seat.position if seat else None, spectated)
    hand = Hand(view, chosen, several)
    ended = view.result is not None
    expiry = find_expiry(match, view, names) if ended else ""
    speech = wording.speech_of(match.preset)
    if seat is not None:
        public = address_viewer(match.code, public, view, names, speech)
    lead = public.lead
    halt = get_halt() if match.playing else None
    is_round_over = scene.is_round_end_displayed(match, view, seat, halt or now)
    shows_round = is_round_over and not (hand.chosen or several)
    if shows_round:
        public = scene.get_round_end_view(match.code, value, view.seat, names, match.preset, public)
    # While the end of a round is displayed, nobody is on turn and no clock runs.
    current = view._replace(turn=None) if shows_round else view
    ended_round = view.ended[-1] if view.ended and (shows_round or ended) else None
    remark = find_remark(match.code, spectated, rows, ended_round)
    bubbles = find_bubbles(view, ended_round, speech, remark)
    emotes = audience.emotes_for(user, seat)
    plates = Plates(match, current, rows, public.last_lines, presence, now, steady, bubbles, emotes)
    return TableView(
        match=match,
        view=view,
        public=public,
        seat=view.seat,
        playing=match.playing and view.seat not in (None, match.leaver, *view.gone),
        plates=plates.build(),
        hand=hand,
        draw=build_button(view, DRAW, value.round.check_draw),
        pass_=build_button(view, PASS, value.round.check_pass),
        claims=claims.claimable_points(view),
        automatic=find_automatic_move(view, user) if halt is None else "",
        absent=None if ended else waiting.find_absent(view, match, value, rows, plates, now),
        prods=waiting.find_prods(current, match, rows, presence) if halt is None else waiting.Prods(),
        leaver=waiting.find_leaver(view, match, value, rows) if halt is None else None,
        rated=match.rated and not (len(view.sides) < view.seats and any([row.taken_over for row in rows])),
        spectators=presence.spectators,
        lines=audience.talk_for(user, seat),
        may_talk=user.is_authenticated,
        muted=getattr(user, "muted", False),
        against_computers=all([row.kind == Seat.Kind.COMPUTER for row in rows if row.position != view.seat]),
        confirm_resign=getattr(user, "confirm_resign", True),
        draws_singly=getattr(user, "draws_singly", False),
        calling_off_costs=bool(seat and view.may_abort and is_penalized(match, seat, rows, now)),
        news=build_news(view, names, speech=speech, ends=public.ends, newest=expiry),
        round_news=scene.get_round_news(match.code, view, names, match.preset),
        opening="" if ended else opening_sentence(view, lead),
        moves_since=describe_moves_since(view, names),
        round_panel=build_round_panel(match, view, rows, next_lead(view, names)) if ended_round else None,
        match_panel=build_match_panel(match, view, view.result, rows, now) if view.result else None,
        now=now,
        language=wording.active_language(),
        steady=steady,
        shapes=shapes,
        planned=count_planned(seat) if seat and may_plan(match, view.terms, view.turn, view.seat) else 0,
        halted=get_maintenance_sentence() if halt is not None else "",
    )
