"""Guests, preferences, leaderboards, people and personal data. allauth has the log-in and sign-up views."""

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.views import email
from allauth.core import ratelimit
from allauth.core.internal import ratelimit as get_limits  # the public module counts no GET
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guests, leaderboard, leaderboards, personal, relations, ways_in
from accounts.forms import DeleteForm
from accounts.http import AuthenticatedHttpRequest
from accounts.models import User
from accounts.names import MAX_NAME_LENGTH
from accounts.pools import POOLS, family_of, pool_name
from accounts.preferences import PreferencesForm, preferences_of, store, store_language
from core.http import HtmxHttpRequest, SeeOther, get_text, see_other

MAX_SEARCH_RESULTS = 30

View = Callable[..., HttpResponse]


def redirect_page(view: View) -> View:
    """Decorate a view whose form htmx sends: it would follow a redirect and swap in a part of the other page."""

    def redirected(request: HtmxHttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if request.htmx and response.has_header("Location"):
            return HttpResponse(headers={"HX-Redirect": response["Location"]})
        return response

    return redirected


def players_only(view: View) -> View:
    """Decorate a view that needs a password: redirect guests to sign up."""

    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and request.user.is_guest:
            messages.info(request, _("Sign up first."))
            return see_other("account_signup") if request.method == "POST" else redirect("account_signup")
        return view(request, *args, **kwargs)

    return guarded


@players_only
def addresses(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show or process allauth's forms of e-mail addresses; its check that one is not the last way in needs the lock.

    The other actions send mails, for which nobody else should wait.
    """
    if "action_remove" not in request.POST or not request.user.is_authenticated:
        return email(request)
    with ways_in.locked(request.user):
        return email(request)


def _next(request: HttpRequest) -> str:
    """Return the posted `next` if it is an address of this site, else the lobby."""
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if safe and target.startswith("/") else reverse("lobby")


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    try:
        guests.become_guest(request)
    except guests.NoGuests:
        messages.info(request, _("There are no guests here. Sign up or log in to play."))
        return see_other("account_signup")
    except guests.TooManyGuests:
        messages.error(request, _("Too many guests have come from here. Try again in an hour, or sign up."))
        return see_other("account_signup")
    return SeeOther(iri_to_uri(_next(request)))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HtmxHttpRequest) -> HttpResponse:
    person = preferences_of(request)
    if request.method != "POST":
        return render(request, "accounts/preferences.html", {"form": PreferencesForm(instance=person)})
    form = PreferencesForm(request.POST, instance=person)
    if not form.is_valid():
        return render(request, "accounts/preferences.html", {"form": form}, status=422)
    if request.htmx:
        # The page already shows the change, unless the language changed.
        answer = HttpResponse(
            status=204, headers={"HX-Refresh": "true"} if "language" in form.changed_data else None
        )
        store(request, form, answer)
        return answer
    answer = see_other("preferences")
    store(request, form, answer)
    with override(form.cleaned_data["language"] or request.LANGUAGE_CODE):
        messages.success(request, _("Saved."))
    return answer


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Store the language chosen at the foot of a page."""
    answer = SeeOther(iri_to_uri(_next(request)))
    chosen = request.POST.get("language", "")
    if chosen in dict(settings.LANGUAGES):
        store_language(request, chosen, answer)
    return answer


@require_safe
def all_leaderboards(request: HttpRequest) -> HttpResponse:
    """Show the pools in which people play, the week's best, and the way to all leaderboards."""
    if request.GET.get("pool") in dict(POOLS):
        return redirect("leaderboard-pool", pool=request.GET["pool"])
    context = {
        "leaderboards": leaderboards.active_leaderboards(),
        "week": leaderboards.weeks_best(),
        "families": leaderboard.families(),
    }
    return render(request, "accounts/leaderboards.html", context)


@require_safe
def leaderboard_pool(request: HttpRequest, pool: str) -> HttpResponse:
    if pool not in dict(POOLS):
        raise Http404
    viewer = request.user if request.user.is_authenticated else None
    page = leaderboard.page(pool, viewer, request.GET)
    families = leaderboard.families()
    context = {
        "page": page,
        "title": pool_name(pool),
        "families": families,
        "family": next(family for family in families if family.id == family_of(pool)),
        "standing": leaderboard.find_standing(page),
    }
    return render(request, "accounts/leaderboard.html", context)


@login_required
@never_cache
@require_safe
def export(request: AuthenticatedHttpRequest) -> HttpResponse:
    used = get_limits.consume(
        request, app="allauth.account", action="export", user=request.user, limit_get=True
    )
    if used is None:
        return ratelimit.respond_429(request)
    answer = JsonResponse(personal.export_data(request.user), json_dumps_params={"indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="{request.user.username}.json"'
    return answer


def has_only_passkeys(request: AuthenticatedHttpRequest) -> bool:
    return not request.user.is_guest and not request.user.has_usable_password()


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(enabled=has_only_passkeys, app="allauth.mfa")
def delete(request: AuthenticatedHttpRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "accounts/delete.html", {"form": DeleteForm(user=request.user)})
    # Limit guessing the password in a browser left open.
    if not ratelimit.consume(request, action="reauthenticate", user=request.user):
        return ratelimit.respond_429(request)
    form = DeleteForm(request.POST, user=request.user)
    if not form.is_valid():
        return render(request, "accounts/delete.html", {"form": form}, status=422)
    person = request.user
    logout(request)
    personal.delete(person)
    messages.success(request, _("Your account is deleted."))
    return see_other("lobby")


@never_cache
@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """List the people one follows, and search people by a part of their name."""
    query = get_text(request.GET, "q").strip()[:MAX_NAME_LENGTH]
    matching = (
        User.objects.filter(username__icontains=query, is_active=True).order_by("username") if query else None
    )
    followed = relations.followed_by(request.user) if request.user.is_authenticated else []
    return render(
        request,
        "accounts/players.html",
        {
            "query": query,
            "found": None if matching is None else matching[:MAX_SEARCH_RESULTS],
            "followed": followed,
        },
    )


@require_POST
def relate(request: HttpRequest, name: str, kind: str) -> HttpResponse:
    """Follow, block or mute somebody (`on` = 1), or undo it (0)."""
    person = get_object_or_404(User, username__iexact=name, is_active=True)
    if not request.user.is_authenticated:
        messages.error(request, _("Play as a guest or log in first."))
    elif person == request.user:
        messages.error(request, _("This is you."))
    else:
        on = request.POST.get("on", "1") != "0"
        try:
            relations.set_relation(request.user, person, kind, on)
        except relations.NotFollowed:
            messages.error(request, _("You cannot follow this player just now."))
        else:
            messages.success(request, _relation_message(kind, on) % {"name": person.public_name})
    return see_other("profile", name=person.username)


def _relation_message(kind: str, on: bool) -> str:
    return {
        ("follow", True): _("You follow %(name)s."),
        ("follow", False): _("You no longer follow %(name)s."),
        ("block", True): _(
            "%(name)s is blocked: no table, challenge or talk with each other. A match that runs goes on."
        ),
        ("block", False): _("%(name)s is no longer blocked."),
        ("mute", True): _("The lines of %(name)s are hidden from you."),
        ("mute", False): _("You see the lines of %(name)s again."),
    }[kind, on]
