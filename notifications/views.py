"""Views of the choices, the subscriptions of browsers, the links of notices, and the calendar."""

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import AuthenticatedHttpRequest
from core.http import get_text, see_other, wants_json
from core.languages import get_supported_language
from core.numbers import parse_whole_number
from core.time_zones import get_zone
from notifications import devices, outbox, services, turns, vapid
from notifications.calendars import write_calendar
from notifications.forms import ChoicesForm
from notifications.models import Choices, Notice, find_choices

MIN_TOKEN_LENGTH = 20  # people without a calendar have an empty token


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show and store which notices the reader wants."""
    choices = find_choices(request.user)
    has_address = EmailAddress.objects.filter(user=request.user, verified=True, primary=True).exists()
    form = ChoicesForm(request.POST or None, instance=choices, has_address=has_address)
    if form.is_valid():
        form.instance.language = get_supported_language(get_language() or "")
        services.store_choices(form.save(commit=False))
        messages.success(request, _("Saved."))
        return see_other("notifications")
    token = choices.calendar_token
    stored_zone = form.initial["time_zone"]
    context = {
        "form": form,
        "subscriptions": devices.find_live(request.user),
        "session": request.session.session_key,
        # Naive: the template would show an aware time in its own zone.
        "local_time": timezone.make_naive(timezone.now(), get_zone(stored_zone)),
        "stored_zone": stored_zone,
        "zone": get_zone(stored_zone),
        "calendar": request.build_absolute_uri(reverse("calendar", args=[token])) if token else "",
    }
    return render(request, "notifications/page.html", context, status=422 if form.errors else 200)


@login_required
@never_cache
@require_safe
def push_key(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Send the key with which a browser subscribes, and the token that the service worker posts with."""
    return JsonResponse({"key": vapid.get_public_key(), "token": get_token(request)})


@login_required
@require_POST
def subscribe(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Store the subscription that the page's script or the service worker has made."""
    sent = {name: get_text(request.POST, name) for name in request.POST}
    device = services.describe_device(request.headers.get("User-Agent", ""))
    session = request.session.session_key or ""
    try:
        services.subscribe(request.user, sent, get_language() or "", device, session)
    except services.InvalidSubscription:
        return JsonResponse({"reason": "malformed"}, status=400)
    except services.OutdatedKey:
        return JsonResponse({"reason": "key"}, status=409)
    return HttpResponse(status=204)


@login_required
@require_POST
def check(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Tell a page whether its browser's subscription is stored, and which notices are still unread.

    `state` is `known`, `removed` by its owner, or `unknown`: then the browser subscribes again.
    """
    services.mark_read(turns.find_read(timezone.now()).filter(user=request.user), timezone.now())
    row = services.find_browser(request.user, get_text(request.POST, "endpoint")).first()
    state = "unknown" if row is None else "removed" if row.removed_at else "known"
    if row is not None and state == "known":
        if row in devices.find_live(request.user):
            services.note_visit(row, timezone.now())
        else:
            state = "unknown"
    return JsonResponse({"state": state, "key": vapid.get_public_key(), **outbox.build_state(request.user)})


@login_required
@require_POST
def unsubscribe(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Stop pushing to a browser, named by its row in the list or, by itself, by its endpoint."""
    pk = parse_whole_number(request.POST.get("subscription", ""))
    if pk is None:
        services.unsubscribe(request.user, get_text(request.POST, "endpoint"))
        return HttpResponse(status=204)
    services.remove(request.user, pk)
    return see_other("notifications")


@login_required
@require_POST
def send_test(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Send a notice to one of the reader's browsers."""
    pk = parse_whole_number(request.POST.get("subscription", ""))
    if pk is not None and services.send_test(request.user, pk):
        messages.success(
            request, _("A notice is on its way. If none comes within a minute, subscribe there again.")
        )
    return see_other("notifications")


@login_required
@never_cache
@require_safe
def notice(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Redirect to the page that a notice is about, or to the front page if there is none any more or it led others.

    The service worker asks for the address as JSON and looks for an open page there. Only if there is none, it opens
    this one, and the notice is read.
    """
    row = Notice.objects.filter(pk=pk, user=request.user).first()
    is_one = row is not None and outbox.SEVERAL not in request.GET
    target = row.target if row is not None and is_one else reverse("lobby")
    if wants_json(request):
        return JsonResponse({"target": target})
    if is_one:
        services.mark_read(Notice.objects.filter(pk=pk, user=request.user), timezone.now())
    return redirect(target)


@login_required
@require_POST
def renew_calendar(request: AuthenticatedHttpRequest) -> HttpResponse:
    services.renew_calendar(request.user, request.POST.get("on") == "1", get_language() or "")
    return see_other("notifications")


@never_cache
@require_safe
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """Send the calendar of the person with this token, in their language."""
    if len(token) < MIN_TOKEN_LENGTH:
        raise Http404
    choices = get_object_or_404(
        Choices.objects.select_related("user"), calendar_token=token, user__is_active=True
    )
    with override(choices.written_language or get_language()):
        text = write_calendar(choices.user, request.build_absolute_uri(reverse("lobby")), timezone.now())
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")
