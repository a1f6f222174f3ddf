"""The acts of a night's directors. Each form has the `version` of the night that its sender saw.

It counts where an act depends on what was seen: a tick is accepted from an older page, too.
"""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from core.http import HtmxHttpRequest, get_text, wants_json
from lobbies.requests import get_or_create_user
from nights import services
from nights.models import Night
from nights.refusals import NightRefused
from nights.requests import parse_number, remember_own, require_director
from nights.views.answers import answer, changes_any_night, changes_night
from nights.views.pages import desk_page


@changes_night
def people(request: HtmxHttpRequest, night: Night) -> HttpResponse | None:
    """Add names, one a line, as a director; without `names` add oneself, by `name`."""
    if "names" not in request.POST:
        return _add_oneself(request, night)
    director, names = require_director(request, night), get_text(request.POST, "names")
    try:
        services.add_names(night, director, parse_number(request, "version"), names, timezone.now())
    except NightRefused as refusal:
        if wants_json(request):
            raise
        night.refresh_from_db()
        context = desk_page(request, night) | {"names": names, "refusal": refusal.sentence}
        return render(request, "nights/desk.html", context, status=refusal.status)
    return None


def _add_oneself(request: HtmxHttpRequest, night: Night) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    name = get_text(request.POST, "name") or (user.username if user else "")
    if user is None and name and not night.is_wood:
        user = get_or_create_user(request)  # who plays on a phone needs a seat
    entry = services.add_oneself(night, name, user, timezone.now())
    address = reverse("night-me", args=[night.code, entry.secret])
    response = answer(request, address, number=entry.number)
    remember_own(response, entry, night)
    return response


@changes_night
def open_to_people(request: HtmxHttpRequest, night: Night) -> None:
    director = require_director(request, night)
    services.open_to_people(night, director, parse_number(request, "version"), timezone.now())


@changes_night
def entry(request: HtmxHttpRequest, night: Night) -> None:
    """Change one thing of a person: `number`, `set`, and for some of these a value."""
    director = require_director(request, night)
    change = get_text(request.POST, "set") or request.GET.get("set", "")
    value = None
    if change in services.CHANGES_WITH_VALUES:
        value = parse_number(request, change, default=0) or None
    number, version = parse_number(request, "number"), parse_number(request, "version")
    services.change_entry(night, director, version, number, change, timezone.now(), value)


@changes_night
def rename(request: HtmxHttpRequest, night: Night) -> None:
    """Write the name of the person `number` otherwise: the field `name-NUMBER`."""
    director, number = require_director(request, night), parse_number(request, "number")
    name = get_text(request.POST, f"name-{number}")
    services.rename_entry(night, director, parse_number(request, "version"), number, name, timezone.now())


@changes_any_night
def directors(request: HtmxHttpRequest, night: Night) -> None:
    """Name another account a director."""
    director = require_director(request, night)
    other = User.objects.filter(username__iexact=get_text(request.POST, "name"), is_active=True).first()
    if other is None:
        raise NightRefused("no_account", 404)
    services.name_director(night, director, parse_number(request, "version"), other, timezone.now())


@changes_night
def draw(request: HtmxHttpRequest, night: Night) -> None:
    """Draw the next round, whose number is `round`; `anyway` without the results that are missing."""
    director = require_director(request, night)
    services.draw(
        night,
        director,
        parse_number(request, "version"),
        timezone.now(),
        anyway="anyway" in request.POST,
        number=parse_number(request, "round", default=0) or None,
    )


@changes_night
def undo(request: HtmxHttpRequest, night: Night) -> None:
    services.undo(night, require_director(request, night), parse_number(request, "version"), timezone.now())


@changes_night
def swap(request: HtmxHttpRequest, night: Night) -> None:
    director = require_director(request, night)
    one, other = parse_number(request, "a"), parse_number(request, "b")
    services.swap(night, director, parse_number(request, "version"), one, other, timezone.now())


@changes_night
def absent(request: HtmxHttpRequest, night: Night) -> None:
    director = require_director(request, night)
    number, version = parse_number(request, "number"), parse_number(request, "version")
    services.mark_absent(night, director, version, number, timezone.now())


@changes_night
def replace(request: HtmxHttpRequest, night: Night) -> None:
    """Seat `helper`, or without one a computer, for the person `number` who is not there."""
    director = require_director(request, night)
    number, version = parse_number(request, "number"), parse_number(request, "version")
    helper = parse_number(request, "helper", default=0) or None
    services.replace(night, director, version, number, helper, timezone.now())


@changes_night
def close(request: HtmxHttpRequest, night: Night) -> None:
    director = require_director(request, night)
    services.close_round(night, director, parse_number(request, "version"), timezone.now())


@changes_night
def keep(request: HtmxHttpRequest, night: Night) -> None:
    """Put the people of the night onto the list of its club."""
    director = require_director(request, night)
    services.keep_names(night, director, parse_number(request, "version"), timezone.now())


@changes_night
def finish(request: HtmxHttpRequest, night: Night) -> None:
    director = require_director(request, night)
    services.finish(night, director, parse_number(request, "version"), timezone.now())


@changes_any_night
def cancel(request: HtmxHttpRequest, night: Night) -> None:
    director = require_director(request, night)
    services.cancel(night, director, parse_number(request, "version"), timezone.now())
