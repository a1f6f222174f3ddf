"""The pages of clubs."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import AuthenticatedHttpRequest
from core.http import HtmxHttpRequest, Refusal, see_other
from core.numbers import parse_whole_number
from games.models import Report
from nights import services
from nights.club_forms import ClubForm, SeasonForm
from nights.club_models import Club, Membership
from nights.club_pages import ClubPage, list_clubs, list_own_clubs
from nights.codes import draw_code

REPORTED = (Report.Category.NAME, Report.Category.TALK)  # what words of a club can be reported as


def get_club(request: HtmxHttpRequest, slug: str) -> Club:
    """Return the club, if its page is there for this reader. Raise `Http404`."""
    club = Club.objects.filter(slug=slug).first()
    if club is None or (club.is_hidden and not club.find_role(request.user.pk)):
        raise Http404
    return club


def build_page(request: HtmxHttpRequest, club: Club) -> ClubPage:
    chosen = parse_whole_number(request.GET.get("season", ""))
    return ClubPage(club, club.find_role(request.user.pk), timezone.now().date(), chosen)


@never_cache
@require_safe
def index(request: HtmxHttpRequest) -> HttpResponse:
    """List public clubs, and one's own."""
    context = {"clubs": list_clubs(get_language() or ""), "own": list_own_clubs(request.user.pk)}
    return render(request, "clubs/index.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Ask for a new club, and make it."""
    form = ClubForm(request.POST) if request.method == "POST" else ClubForm()
    if request.method != "POST":
        return render(request, "clubs/new.html", {"form": form})
    if not form.is_valid():
        return render(request, "clubs/new.html", {"form": form, "refusal": form.sentence}, status=422)
    try:
        club = services.make_club(request.user, form.plan, timezone.now())
    except Refusal as refusal:
        context = {"form": form, "refusal": refusal.sentence}
        return render(request, "clubs/new.html", context, status=refusal.status)
    return see_other(club)


@never_cache
@require_safe
def club(request: HtmxHttpRequest, slug: str) -> HttpResponse:
    """Show a club: when it meets, its past nights, and the table of a season."""
    club = get_club(request, slug)
    page = build_page(request, club)
    categories = [(value.value, value.label) for value in REPORTED]
    context = {"club": club, "page": page, "categories": categories, "is_found": club.is_found}
    return render(request, "clubs/club.html", context)


@never_cache
@require_safe
def desk(request: HtmxHttpRequest, slug: str) -> HttpResponse:
    """Show owners and directors what they can change."""
    return show_desk(request, get_club(request, slug))


def show_desk(
    request: HtmxHttpRequest, club: Club, form: ClubForm | None = None, refusal: str = "", status: int = 200
) -> HttpResponse:
    """Render the desk, with a form that was refused and why. Raise `Http404` for who runs nothing."""
    page = build_page(request, club)
    if not page.runs:
        raise Http404
    address = _write_invitation(request, club)
    context = {
        "club": club,
        "page": page,
        "form": form or ClubForm(club=club),
        "season_form": SeasonForm(),
        "refusal": refusal,
        "people": club.people.select_related("user"),
        "members": club.memberships.select_related("user"),
        "roles": Membership.Role.choices,
        "invitation": address,
        "code": draw_code(address, _("The invitation")) if address else "",
    }
    return render(request, "clubs/desk.html", context, status=status)


def _write_invitation(request: HtmxHttpRequest, club: Club) -> str:
    if not club.invitation:
        return ""
    path = f"{club.get_absolute_url()}join/{club.invitation}/"
    return request.build_absolute_uri(path)


@never_cache
@require_safe
def invitation(request: HtmxHttpRequest, slug: str, secret: str) -> HttpResponse:
    """Ask whoever has the link of an invitation to join."""
    club = get_club(request, slug)
    if not services.is_invitation(club, secret):
        raise Http404
    context: dict[str, Any] = {"club": club, "secret": secret, "page": build_page(request, club)}
    return render(request, "clubs/invitation.html", context)
