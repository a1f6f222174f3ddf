"""Guests, preferences, the leaderboard, and one's own data. Signing in and up is allauth's."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guests, leaderboard, personal
from accounts.forms import DeleteForm
from accounts.pools import POOLS
from accounts.preferences import PreferencesForm, preferences_of, store


def _next(request: HttpRequest) -> str:
    """Where to go on: an address of this site, or the lobby."""
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if safe else "lobby"


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    try:
        guests.become_guest(request)
    except guests.TooManyGuests:
        messages.error(request, _("Too many guests have come from here. Try again in an hour, or sign up."))
        return redirect("account_signup")
    return redirect(_next(request))


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    person = preferences_of(request)
    form = PreferencesForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        store(request, form)
        with override(form.cleaned_data["language"] or request.LANGUAGE_CODE):
            messages.success(request, _("Kept."))
        answer = redirect("preferences")
        if form.cleaned_data["language"]:
            answer.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                form.cleaned_data["language"],
                samesite="Lax",
                max_age=31_536_000,
            )
        return answer
    return render(request, "accounts/preferences.html", {"form": form})


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    return redirect("leaderboard-pool", pool=POOLS[0][0])


@require_safe
def leaderboard_pool(request: HttpRequest, pool: str) -> HttpResponse:
    titles = dict(POOLS)
    if pool not in titles:
        raise Http404
    viewer = request.user if request.user.is_authenticated else None
    page = leaderboard.page(pool, viewer, request.GET.get("after", ""))
    return render(
        request,
        "accounts/leaderboard.html",
        {"page": page, "pools": POOLS, "title": titles[pool], "key": request.GET.get("after", "")},
    )


@login_required
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    answer = JsonResponse(personal.everything_of(request.user), json_dumps_params={"indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="{request.user.username}.json"'
    return answer


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    form = DeleteForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        person = request.user
        logout(request)
        personal.delete(person)
        messages.success(request, _("Your account is deleted."))
        return redirect("lobby")
    return render(request, "accounts/delete.html", {"form": form})
