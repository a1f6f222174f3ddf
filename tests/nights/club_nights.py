"""Clubs and their nights for tests."""

from datetime import datetime, timedelta

from accounts.models import User
from nights import services
from nights.club_models import Club
from nights.models import Night, NightTable
from tests.nights.conftest import NOW


def make_club(owner: User, name: str = "Los Compadres", **fields) -> Club:
    return services.make_club(owner, services.ClubPlan(**{"name": name, "language": "es"} | fields), NOW)


def make_member(club: Club, user: User, role: str = "member") -> None:
    club.memberships.create(user=user, role=role, joined_at=NOW)


def make_club_night(club: Club | None, host: User, starts_at: datetime = NOW, **fields) -> Night:
    plan = {
        "name": "Friday",
        "format": "singles",
        "place": "wood",
        "preset": "block",
        "zone": "America/Caracas",
    }
    night = services.make(host, services.NightPlan(starts_at=starts_at, club=club, **plan | fields), NOW)
    services.open_to_people(night, host, 0, NOW)
    return refreshed(night)


def refreshed(night: Night) -> Night:
    return Night.objects.get(pk=night.pk)


def act(service, night: Night, director: User, *args, now: datetime = NOW, **kwargs):
    """Call a director's service with the night's present version."""
    return service(night, director, refreshed(night).version, *args, now=now, **kwargs)


def play(night: Night, director: User, points=(20, 10)) -> None:
    """Draw a round of a night and enter the same result at each table."""
    act(services.draw, night, director)
    for table in NightTable.objects.filter(drawn_round__night=night, drawn_round__closed_at=None):
        number = table.drawn_round.number
        sender = services.Sender(director=director)
        services.enter(night, number, table.number, table.version, points, sender, NOW)


def hold(club: Club, director: User, names: str, starts_at: datetime = NOW, rounds: int = 1) -> Night:
    """Hold a whole night of these people, one name a line."""
    night = make_club_night(club, director, starts_at, rounds=rounds)
    act(services.add_names, night, director, names)
    for _ in range(rounds):
        play(night, director)
    act(services.finish, night, director, now=starts_at + timedelta(hours=3))
    return refreshed(night)
