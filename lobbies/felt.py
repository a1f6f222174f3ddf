"""The lobby's felt, whose one button says what it will do, and the chips by which its game is chosen."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from accounts.models import User
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.terms import terms
from boneyard.engine.tiles import SET_SIZES, parse
from games.drawing.tiles import draw_hand_tile
from games.wording import goal_beside, preset_title
from live.fragments.fragment import Fragment, render_fragment
from lobbies import clocks, seating
from lobbies.models import Table
from lobbies.offers import QuickGame, own_and_usual_games, unique_presets, usual_game
from lobbies.pairing import VISITOR, Seeker, load_seeker
from lobbies.seating import Offer

MAX_CHIPS = 5
FIRST_LEVEL = "casual"
HAND = ("6-4", "6-2", "5-5", "4-3", "3-1", "2-0", "1-1", "5-3", "6-6")  # a picture, nobody's tiles


class Reader(NamedTuple):
    """Whose lobby it is: their seat in the queue, and the games that they played last and that are usual."""

    seeker: Seeker = VISITOR
    own: tuple[QuickGame, ...] = ()
    usual: tuple[QuickGame, ...] = ()

    def game_of(self, preset: str) -> QuickGame:
        """Return the seats and clock with which this reader plays a preset."""
        games = (*self.own, *self.usual)
        return next((game for game in games if game.preset == preset), None) or usual_game(preset)


class Act(NamedTuple):
    """A button of the felt; `name` and `value` are sent with the seats and clock of the felt's game."""

    label: str
    address: str
    name: str = ""
    value: str = ""

    @property
    def form(self) -> str:
        """Return the id of the form that is sent: a match against computers has no clock."""
        return "press-computer" if self.name == "computer" else "press"


class Felt(NamedTuple):
    """What the felt says and does: the acts, the first one the page's main button.

    hand, boneyard   how many tiles the game deals to a hand, and leaves
    is_chosen        whether the reader has chosen the game
    sign_up          whether those who wait can be joined by signing up
    """

    title: str
    about: str
    acts: tuple[Act, ...]
    seats: int
    clock: str
    hand: int
    boneyard: int
    is_chosen: bool
    sign_up: bool

    @property
    def tiles(self) -> list[SafeString]:
        """Return a hand as a picture."""
        return [draw_hand_tile(parse(name)) for name in HAND[: self.hand]]


class Chip(NamedTuple):
    """A game to choose, with the people whom a press for it would seat the reader with."""

    preset: str
    title: str
    picture: str
    words: str
    is_chosen: bool


class Choice(NamedTuple):
    """The felt and the chips; `game` is that of the cards: the one on the felt if it is a chip, else the first chip."""

    game: QuickGame
    felt: Fragment
    chips: Fragment


def load_reader(user: User | None, now: datetime) -> Reader:
    own, usual = own_and_usual_games(user)
    return Reader(VISITOR if user is None else load_seeker(user, now), tuple(own), tuple(usual))


def build_choice(reader: Reader, tables: Sequence[Table], chosen: str, now: datetime) -> Choice:
    """Return the felt and the chips; `chosen` is the preset that the reader has chosen, or ""."""
    is_chosen = chosen in PRESETS
    offer = (
        seating.find_offer(reader.seeker, reader.game_of(chosen), tables, now)
        if is_chosen
        else seating.suggest(reader.seeker, reader.own, reader.usual, tables, now)
    )
    games = _list_chips(reader, offer.game if is_chosen else None)
    chips = tuple(
        _build_chip(
            offer if game == offer.game else seating.find_offer(reader.seeker, game, tables, now),
            offer.game.preset,
        )
        for game in games
    )
    language = get_language()
    felt = render_fragment(
        "lobbies/_felt.html", language, felt=_build_felt(reader.seeker, offer, is_chosen=is_chosen)
    )
    game = next((game for game in games if game.preset == offer.game.preset), games[0])
    return Choice(game, felt, render_fragment("lobbies/_chips.html", language, chips=chips))


def _list_chips(reader: Reader, chosen: QuickGame | None) -> list[QuickGame]:
    games = unique_presets((*reader.own, *reader.usual))[:MAX_CHIPS]
    if chosen is None or any(game.preset == chosen.preset for game in games):
        return games
    return [*games[: MAX_CHIPS - 1], chosen]


def _build_chip(offer: Offer, chosen: str) -> Chip:
    game = offer.game
    return Chip(game.preset, game.title, game.picture, offer.words, game.preset == chosen)


def _build_felt(seeker: Seeker, offer: Offer, *, is_chosen: bool) -> Felt:
    game, found = offer.game, offer.table or offer.otherwise
    rules, seats = PRESETS[game.preset].rules, game.seats
    clock, rated = clocks.parse(game.clock), seeker.may_rate and PRESETS[game.preset].rated
    if found is not None:
        rules, seats = Rules.from_dict(found.rules), found.seats
        clock, rated = found.clock, found.rated
    dealt = terms(rules, seats)
    about = [
        _("%(n)s players") % {"n": seats},
        goal_beside(game.title, rules),
        clocks.short_name(clock),
        _("rated") if rated else _("casual"),
    ]
    return Felt(
        title=_describe_wait(offer, is_chosen=is_chosen),
        about=capfirst(", ".join(filter(None, about))),
        acts=tuple(_list_acts(offer, is_chosen=is_chosen)),
        seats=game.seats,
        clock=game.clock,
        hand=dealt.hand_size,
        boneyard=SET_SIZES[rules.set] - seats * dealt.hand_size,
        is_chosen=is_chosen,
        sign_up=offer.rated is not None,
    )


def _describe_wait(offer: Offer, *, is_chosen: bool) -> str:
    """Return who waits for the game, and with which seats if these are not the ones asked for."""
    found = offer.table or offer.otherwise or offer.rated
    if found is None:
        title = {"game": preset_title(offer.game.preset)}
        return _("Nobody is waiting to play %(game)s right now") % title if is_chosen else title["game"]
    names = seating.list_people(found)
    game = preset_title(found.preset)
    if offer.table is None and found.seats != offer.game.seats:
        game = f"{game} {seating.seats_in_words(found)}"
    if offer.rated is not None:
        words = ngettext(
            "%(names)s is waiting for a rated match: %(game)s",
            "%(names)s are waiting for a rated match: %(game)s",
            len(names),
        )
    else:
        words = ngettext(
            "%(names)s is waiting to play %(game)s", "%(names)s are waiting to play %(game)s", len(names)
        )
    return words % {"names": _join(names), "game": game}


def _join(names: Sequence[str]) -> str:
    """Return *ana*, or *ana, luis and rosa*."""
    if len(names) == 1:
        return names[0]
    return _("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def _list_acts(offer: Offer, *, is_chosen: bool) -> list[Act]:
    game, play = offer.game, reverse("quick-play", args=[offer.game.preset])
    if offer.table is not None:
        words = ngettext("Play %(game)s: %(n)s waiting", "Play %(game)s: %(n)s waiting", offer.people)
        return [Act(words % {"game": game.title, "n": offer.people}, play, "ask", "1")]
    if offer.otherwise is not None:
        names = seating.list_people(offer.otherwise)
        join = _("Join %(name)s") % {"name": names[0]} if len(names) == 1 else _("Join them")
        acts = [Act(join, reverse("table-sit", args=[offer.otherwise.code]))]
        return [*acts, Act(_name_wait(offer), play)] if is_chosen else acts
    return [
        Act(_("Play a computer"), play, "computer", FIRST_LEVEL),
        Act(pgettext("in quick play", "Wait for somebody"), play, "ask", "1"),
    ]


def _name_wait(offer: Offer) -> str:
    """Return *Wait at a table for two*, the answer of somebody who does not want the other seats."""
    if offer.otherwise is not None and offer.otherwise.seats == offer.game.seats:
        return _("Wait for others")
    return {2: _("Wait at a table for two"), 3: _("Wait at a table for three")}.get(
        offer.game.seats, _("Wait at a table for four")
    )
