"""Nights on phones for tests: people with accounts, who come to their tables and play."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.models import Match
from lobbies.models import Sitting
from nights import services
from nights.models import Entry, Night, NightTable
from tests.games.playing import play_to_the_end


def make_night(host: User, people: int = 8, *, accounts: int | None = None, **changes) -> Night:
    """Return an open night on phones; the first `accounts` of its people have accounts, by default all."""
    plan = services.NightPlan(
        **{
            "name": "Friday",
            "format": "partners",
            "place": "phones",
            "preset": "dominican",
            "starts_at": timezone.now(),
            "zone": "UTC",
            "hands": 1,
            **changes,
        }
    )
    night = services.make(host, plan, timezone.now())
    services.open_to_people(night, host, night.version, timezone.now())
    night.refresh_from_db()
    names = "\n".join(f"Person {number}" for number in range(1, people + 1))
    services.add_names(night, host, night.version, names, timezone.now())
    for entry in night.entries.order_by("number")[: people if accounts is None else accounts]:
        user = User.objects.create_user(f"person{entry.number}", password="a-long-one-1")
        services.claim_entry(entry, user, timezone.now())
    night.refresh_from_db()
    return night


def act(service, night: Night, director: User, *args, now=None, **kwargs):
    """Call a director's service with the night's present version."""
    night.refresh_from_db()
    return service(night, director, night.version, *args, now=now or timezone.now(), **kwargs)


def tables_of(night: Night, number: int = 1) -> list[NightTable]:
    rows = NightTable.objects.filter(drawn_round__night=night, drawn_round__undone_at=None)
    return list(rows.filter(drawn_round__number=number).order_by("number"))


def come(night: Night, *numbers: int) -> None:
    """Let pages of these people, by default of all, be open: they add nothing to the shuffle."""
    sittings = Sitting.objects.filter(table__night=night.code, user__isnull=False)
    if numbers:
        users = Entry.objects.filter(night=night, number__in=numbers).values("user")
        sittings = sittings.filter(user__in=users)
    sittings.update(seen_at=timezone.now(), commitment="")


def keep(night: Night) -> None:
    """Let the duty of nights run."""
    services.keep_tables(timezone.now())


def let_time_pass(night: Night, seconds: float) -> None:
    """Set back when the tables of the night were opened."""
    for table in NightTable.objects.filter(drawn_round__night=night, computers_at__isnull=False):
        table.computers_at -= timedelta(seconds=seconds)
        table.save(update_fields=["computers_at"])


def matches_of(night: Night, number: int = 1) -> list[Match]:
    return [Match.objects.get(code=table.match_code) for table in tables_of(night, number)]


def begin_round(night: Night, host: User) -> list[Match]:
    """Draw a round, let everybody come, and return the matches."""
    drawn = act(services.draw, night, host)
    come(night)
    keep(night)
    keep(night)
    return matches_of(night, drawn.number)


def play_round(night: Night, host: User) -> list[Match]:
    matches = begin_round(night, host)
    for match in matches:
        play_to_the_end(match)
    keep(night)
    return matches
