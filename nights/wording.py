"""What a night says: who sits where, what a round is, what directors did."""

from collections.abc import Callable, Sequence
from datetime import datetime
from fractions import Fraction

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from core.numbers import format_change
from core.time_zones import get_zone
from games.time.clocks import describe_clock
from lobbies.models import Sitting, Table
from lobbies.services import find_away
from nights.loaded import LoadedNight
from nights.models import Act, DrawnRound, Entry, Night, NightTable

FORMAT_NAMES = {
    "partners": gettext_lazy("A new partner in each round"),
    "pairs": gettext_lazy("Pairs that stay together"),
    "singles": gettext_lazy("One against one"),
    "free": gettext_lazy("Each for themselves, three or four at a table"),
    "open": gettext_lazy("Nothing is drawn: people meet by quick play"),
}
DRAW_NAMES = {
    "rotate": gettext_lazy("everybody meets as many others as can be"),
    "standing": gettext_lazy("those with equal results meet"),
}
HALVES = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔"}


def join_names(names: Sequence[str]) -> str:
    """Return *Ana, Luis and Rosa*."""
    if len(names) < 2:
        return "".join(names)
    return _("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def name_side(loaded: LoadedNight, side: Sequence[int]) -> str:
    return join_names([loaded.entries[number].name for number in side])


def name_own_side(loaded: LoadedNight, side: Sequence[int], number: int) -> str:
    """Return *Ana and you*."""
    others = [loaded.entries[each].name for each in side if each != number]
    return join_names([*others, _("you")])


def describe_seat(loaded: LoadedNight, table: NightTable, number: int) -> str:
    """Return *Table 4, with Ana, against Luis and Rosa*."""
    own = next(side for side in table.sides if number in side)
    partners = name_side(loaded, [each for each in own if each != number])
    others = name_side(loaded, [each for side in table.sides if side is not own for each in side])
    words = {"table": table.number, "partners": partners, "others": others}
    if partners:
        return _("Table %(table)d, with %(partners)s, against %(others)s") % words
    return _("Table %(table)d, against %(others)s") % words


def describe_round(night: Night) -> str:
    """Return how long a round is: *4 hands*, *to 100 points*, with its minutes."""
    if night.target:
        length = _("to %(points)d points") % {"points": night.target}
    else:
        length = ngettext("%(n)d hand", "%(n)d hands", night.hands or 1) % {"n": night.hands or 1}
    if night.minutes:
        return _("%(length)s, at most %(minutes)d minutes") % {"length": length, "minutes": night.minutes}
    return length


def count_there(table: NightTable) -> int | None:
    """Return how many are there at a table on phones that waits for its people; None once its tiles are shuffled."""
    waiting = Table.objects.filter(code=table.waiting_code, status=Table.Status.OPEN).first()
    if waiting is None or waiting.full_at is not None:
        return None
    return waiting.seats - len(find_away(waiting, Sitting.objects.at(waiting), timezone.now()))


def describe_place(night: Night) -> str:
    """Return *at real tables*, or *on phones, 5 min + 5 s, rated*."""
    words = [night.get_place_display()]
    if not night.is_wood:
        words.append(describe_clock(night.clock))
        words += [_("rated")] if night.rated else []
    return ", ".join(words)


def describe_bell(night: Night) -> str:
    if night.last == Night.Ending.HAND:
        return _("At the bell finish the hand.")
    return _("At the bell finish the hand, then play one more.")


def local_time(night: Night, moment: datetime) -> datetime:
    return moment.astimezone(get_zone(night.zone))


def format_start(night: Night) -> str:
    """Return *Friday 27 November, 20:30* in the night's own zone; of an open night the next one."""
    start = local_time(night, night.get_next_start())
    return pgettext("a date", "%(weekday)s %(day)s, %(hour)s") % {
        "weekday": formats.date_format(start, "l"),
        "day": formats.date_format(start, "MONTH_DAY_FORMAT"),
        "hour": f"{start:%H:%M}",
    }


def format_hour(night: Night, moment: datetime) -> str:
    return f"{local_time(night, moment):%H:%M}"


def format_won(won: Fraction) -> str:
    """Return *3*, *3½*: what does not end in one of three shares is rounded to a tenth."""
    whole, rest = divmod(won, 1)
    if not rest:
        return str(whole)
    share = HALVES.get(rest)
    if share is None:
        return f"{float(won):.1f}"
    return f"{whole or ''}{share}"


def format_difference(difference: Fraction) -> str:
    return format_change(round(float(difference), 1))


def format_points(points: Sequence[int]) -> str:
    return " – ".join(str(each).replace("-", "−") for each in points)


def describe_own_row(loaded: LoadedNight, number: int) -> str:
    """Return *3 won, +64, 5th of 24*; "" for who has no place."""
    row = loaded.find_row(number)
    if row is None:
        return ""
    return _("%(won)s won, %(difference)s, place %(place)d of %(all)d") % {
        "won": format_won(row.won),
        "difference": format_difference(row.difference),
        "place": row.place,
        "all": len(loaded.standings),
    }


def describe_out(night: Night) -> str:
    return {
        Night.OutCounts.HALF: _("A round out counts as half a win."),
        Night.OutCounts.WIN: _("A round out counts as a win."),
        Night.OutCounts.NOTHING: _("A round out counts nothing."),
    }[Night.OutCounts(night.out_counts)]


def describe_people(loaded: LoadedNight) -> str:
    """Return *24 are here: 6 tables, nobody is out*."""
    here, helpers = loaded.count_here()
    tables, out = loaded.count_seats()
    people = ngettext("%(n)d is here", "%(n)d are here", here) % {"n": here}
    if not tables:
        return people
    seats = ngettext("%(n)d table", "%(n)d tables", tables) % {"n": tables}
    rest = ngettext("%(n)d is out", "%(n)d are out", out) % {"n": out} if out else _("nobody is out")
    return _("%(people)s: %(tables)s, %(rest)s") % {"people": people, "tables": seats, "rest": rest}


def count_helpers_needed(loaded: LoadedNight) -> int:
    """Return how many more helpers would seat everybody; 0 if nobody is out, or if it takes more than three."""
    here, helpers = loaded.count_here()
    _tables, out = loaded.count_seats()
    form = loaded.night.form
    if not out:
        return 0
    return next((n for n in range(1, 4) if form.count_seated(here + helpers + n) == here + helpers + n), 0)


def describe_result(table: NightTable) -> str:
    if table.status == NightTable.Status.ABSENT:
        return _("absent")
    return format_points(table.points) if table.points else ""


def describe_status(loaded: LoadedNight, entry: Entry) -> str:
    """Return what a person's page says while they sit at no table."""
    drawn: DrawnRound | None = loaded.last if loaded.is_round_open else None
    if loaded.is_over:
        return _("The night is over")
    if entry.status == Entry.Status.ASKED:
        return _("You are on the list")
    if entry.status == Entry.Status.PAUSED:
        return _("You pause")
    if entry.status == Entry.Status.GONE:
        return _("You have left")
    if drawn and entry.number in drawn.drawn["out"]:
        return _("You are out in round %(n)d") % {"n": drawn.number}
    if loaded.next_round > loaded.night.rounds:
        return _("All rounds are played")
    return _("Wait for round %(n)d") % {"n": loaded.next_round}


_Sentence = Callable[[Act], str]
_ACTS: dict[str, _Sentence] = {
    "keep": lambda act: _("put the names onto the club’s list"),
    "open": lambda act: _("People may add themselves"),
    "director": lambda act: _("%(about)s directs, too"),
    "add": lambda act: _("added %(about)s"),
    "draw": lambda act: _("drew round %(about)s"),
    "undo": lambda act: _("undid the draw of round %(about)s"),
    "close": lambda act: _("closed round %(about)s"),
    "swap": lambda act: _("swapped %(about)s"),
    "result": lambda act: _("table %(about)s: %(after)s"),
    "correct": lambda act: _("table %(about)s: %(after)s, was %(before)s"),
    "earlier": lambda act: _("round %(round)s, table %(table)s: %(after)s, was %(before)s"),
    "late": lambda act: _("round %(round)s, table %(table)s: %(after)s came late and is kept beside"),
    "absent": lambda act: _("%(about)s is absent: %(after)s"),
    "computer_for": lambda act: _("seated a computer for %(about)s"),
    "helper_for": lambda act: _("seated %(after)s for %(about)s"),
    "skip": lambda act: _("%(about)s is skipped"),
    "take_place": lambda act: _("%(about)s takes place"),
    "start": lambda act: _("begins %(after)s, was %(before)s"),
    "finish": lambda act: _("ended the night"),
    "cancel": lambda act: _("cancelled the night"),
    "rename": lambda act: _("wrote a name otherwise: %(about)s"),
    "here": lambda act: _("%(about)s is here"),
    "paused": lambda act: _("%(about)s pauses"),
    "gone": lambda act: _("%(about)s has left"),
    "helper": lambda act: _("%(about)s: helper %(after)s"),
    "paid": lambda act: _("%(about)s: paid %(after)s"),
    "untie": lambda act: _("%(about)s: no account any more"),
    "stop_after": lambda act: _("%(about)s stops after round %(after)s, was %(before)s"),
    "own_table": lambda act: _("%(about)s keeps table %(after)s, was %(before)s"),
}


def describe_act(act: Act) -> str:
    """Return what a director did; the name of who did it stands beside."""
    round_number, _slash, table = act.about.partition("/")  # of a table in an earlier round
    values = {
        "about": act.about,
        "round": round_number,
        "table": table,
        "before": _write_value(act.before),
        "after": _write_value(act.after),
    }
    return _ACTS[act.kind](act) % values


def _write_value(value: object) -> str:
    if isinstance(value, list):
        return format_points(value) if value else "–"
    return {"None": "–", "True": "✓", "False": "–", None: "–"}.get(value, str(value))  # type: ignore[call-overload]
