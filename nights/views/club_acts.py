"""The acts at a club: of those who run it, of members, and of whoever reports it."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from core.http import HtmxHttpRequest, Refusal, get_text, see_other
from games import wording
from games.services import talk
from nights import services
from nights.club_forms import ClubForm, SeasonForm
from nights.club_models import Club, Membership
from nights.refusals import NightRefused
from nights.requests import parse_number
from nights.views.answers import answer, refuse
from nights.views.clubs import REPORTED, get_club, show_desk

Act = Callable[[HtmxHttpRequest, Club, User], HttpResponse | None]


def _changes_club(to: str) -> Callable[[Act], Callable[..., HttpResponse]]:
    """Wrap the view of an act, after which the page with the address `to` follows; its refusals lead there, too."""

    def wrap(view: Act) -> Callable[..., HttpResponse]:
        @require_POST
        @wraps(view)
        def wrapped(request: HtmxHttpRequest, slug: str) -> HttpResponse:
            club = get_club(request, slug)
            if not isinstance(request.user, User):
                return redirect_to_login(_find_way_back(request, club))
            page = reverse(to, args=[slug])
            try:
                response = view(request, club, request.user)
            except Refusal as refusal:
                return refuse(request, refusal, page if club.is_run_by(request.user.pk) else club)
            return response or answer(request, page)

        return wrapped

    return wrap


def _find_way_back(request: HtmxHttpRequest, club: Club) -> str:
    """Return where somebody without an account goes on after the login: an invitation is not lost."""
    secret = get_text(request.POST, "secret")
    if services.is_invitation(club, secret):
        return reverse("club-invitation", args=[club.slug, secret])
    return club.get_absolute_url()


@_changes_club("club")
def join(request: HtmxHttpRequest, club: Club, user: User) -> None:
    services.join_club(club, user, get_text(request.POST, "secret"), timezone.now())


@_changes_club("club")
def leave(request: HtmxHttpRequest, club: Club, user: User) -> HttpResponse | None:
    services.leave_club(club, user)
    return see_other("clubs") if club.is_hidden else None


@_changes_club("club")
def report(request: HtmxHttpRequest, club: Club, user: User) -> None:
    """Report the words of a club: the case is its oldest owner's."""
    category = get_text(request.POST, "reason")
    owner = club.memberships.filter(role=Membership.Role.OWNER).select_related("user").first()
    try:
        if owner is None or category not in REPORTED:
            raise talk.TalkRefused("no_reason")
        text = f"{club.get_absolute_url()} {get_text(request.POST, 'text')}"
        talk.report_person(person=owner.user, user=user, category=category, text=text, match=None)
    except talk.TalkRefused as refusal:
        messages.error(request, wording.message_refusal(refusal.code))
    else:
        messages.success(request, wording.report_confirmation())


@_changes_club("club-desk")
def change(request: HtmxHttpRequest, club: Club, user: User) -> HttpResponse | None:
    """Write other words about the club."""
    form = ClubForm(request.POST)
    if not form.is_valid():
        return show_desk(request, club, form, form.sentence, 422)
    services.change_club(club, user, form.plan, timezone.now())
    messages.success(request, _("Saved."))
    return None


@_changes_club("club-desk")
def close(request: HtmxHttpRequest, club: Club, user: User) -> HttpResponse:
    """Delete the club."""
    if "sure" not in request.POST:
        raise NightRefused("incomplete")
    services.close_club(club, user)
    return see_other("clubs")


@_changes_club("club-desk")
def role(request: HtmxHttpRequest, club: Club, user: User) -> None:
    """Give a member a role; without one the membership ends."""
    services.set_role(club, user, get_text(request.POST, "member"), get_text(request.POST, "role"))


@_changes_club("club-desk")
def invite(request: HtmxHttpRequest, club: Club, user: User) -> None:
    """Make a new link by which people join (`on` = 1), or none."""
    services.renew_invitation(club, user, on=request.POST.get("on") == "1")


@_changes_club("club-desk")
def people(request: HtmxHttpRequest, club: Club, user: User) -> None:
    """Put names, one a line, onto the list."""
    services.add_people(club, user, get_text(request.POST, "names"), timezone.now())


@_changes_club("club-desk")
def person(request: HtmxHttpRequest, club: Club, user: User) -> None:
    """Change a person of the list: `set` is `name`, `merge` (`other` is the same person) or `remove`."""
    key, change = parse_number(request, "person"), get_text(request.POST, "set")
    if change == "name":
        services.rename_person(club, user, key, get_text(request.POST, "name"))
    elif change == "merge":
        services.merge_people(club, user, key, parse_number(request, "other"))
    elif change == "remove":
        services.remove_person(club, user, key)
    else:
        raise NightRefused("incomplete")


@_changes_club("club-desk")
def season(request: HtmxHttpRequest, club: Club, user: User) -> None:
    """Add a span of dates; with `remove` forget one."""
    if "remove" in request.POST:
        services.remove_season(club, user, parse_number(request, "remove"))
        return
    form = SeasonForm(request.POST)
    if not form.is_valid():
        raise NightRefused("bad_season")
    services.add_season(club, user, **form.cleaned_data)


@_changes_club("club")
def following(request: HtmxHttpRequest, club: Club, user: User) -> HttpResponse:
    """Make the next night from the last one."""
    return see_other(services.make_following(club, user, timezone.now()))
