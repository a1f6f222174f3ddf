"""Views of the choices, the subscriptions of browsers, the links of notices, and the calendar."""

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
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
from notifications import services, vapid
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
        form.save()
        messages.success(request, _("Saved."))
        return see_other("notifications")
    token = choices.calendar_token
    context = {
        "form": form,
        "subscriptions": request.user.push_subscriptions.all(),
        "calendar": request.build_absolute_uri(reverse("calendar", args=[token])) if token else "",
    }
    return render(request, "notifications/page.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def push_key(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Send the key with which a browser subscribes."""
    return JsonResponse({"key": vapid.get_public_key()})


@login_required
@require_POST
def subscribe(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Store the subscription that the page's script has made."""
    try:
        device = services.describe_device(request.headers.get("User-Agent", ""))
        services.subscribe(request.user, request.POST.dict(), get_language() or "", device)
    except services.InvalidSubscription:
        return JsonResponse({"reason": "malformed"}, status=400)
    return HttpResponse(status=204)


@login_required
@require_POST
def unsubscribe(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Stop pushing to a browser, named by its row or by its endpoint."""
    pk = parse_whole_number(request.POST.get("subscription", ""))
    services.unsubscribe(request.user, pk=pk, endpoint=get_text(request.POST, "endpoint"))
    return HttpResponse(status=204) if wants_json(request) else see_other("notifications")


@login_required
@never_cache
@require_safe
def notice(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Redirect to the page that a notice is about, or to the front page if there is no such notice any more."""
    row = Notice.objects.filter(pk=pk, user=request.user).first()
    if row is None:
        return redirect("lobby")
    if row.seat_id is not None:
        row.delete()  # so that the next turn gets a notice
    return redirect(row.target)


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
