"""Health, metrics, static information and error pages."""

import sys
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.db import close_old_connections, connection
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseForbidden,
    JsonResponse,
)
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from core.database import get_outage_reason
from core.http import is_loopback, wants_json
from core.siblings import SIBLINGS
from dominoes_site import health, write_ahead
from dominoes_site.payers import is_forwarded
from games.wording import refusal_sentence
from operators.pages import load_page
from operators.site_settings import get_last_known_site

PROCESS_AWAY = "process away"


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Return 200 `ok` or `slow`, or 503 with the part that does not answer; then a line for a large log of SQLite, and,
    with 200, one for each broken row.
    """
    if _is_for_other_process(request):
        return _answer_in_text(PROCESS_AWAY, 503)
    word = health.run_checks()
    lines = [word, *write_ahead.describe_large_log()]
    if word not in health.HEALTHY:
        return _answer_in_text("\n".join(lines), 503)
    lines += [f"broken: {name}" for name in health.find_broken_rows()]
    return _answer_in_text("\n".join(lines), 200)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return counters in Prometheus' format, to loopback or with METRICS_TOKEN."""
    if not (_is_local(request) or _has_metrics_token(request)):
        return HttpResponseForbidden()
    if _is_for_other_process(request):
        return _answer_in_text(PROCESS_AWAY, 503)
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _is_for_other_process(request: HttpRequest) -> bool:
    """Return whether `?process=N` names another process: it is away (`routing`), or there is none."""
    return request.GET.get("process", str(SIBLINGS.number)) != str(SIBLINGS.number)


def _answer_in_text(word: str, status: int) -> HttpResponse:
    answer = HttpResponse(f"{word}\n", status=status, content_type="text/plain")
    answer._has_been_logged = True  # type: ignore[attr-defined]  # by `health`, once, and not at every question
    return answer


def _is_local(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine itself. A local proxy forwards requests of others."""
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT or is_forwarded(request.headers):
        return False
    # A proxy that adds no header passes on the site's host name; a direct request names a loopback host.
    host = request.get_host().rpartition(":")[0] or request.get_host()
    return is_loopback(request.META.get("REMOTE_ADDR", "")) and (
        host == "localhost" or is_loopback(host.strip("[]"))
    )


def _has_metrics_token(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(settings.METRICS_TOKEN) and constant_time_compare(given, settings.METRICS_TOKEN)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show which data is stored, and for how long."""
    periods = {
        "guests": settings.GUESTS_KEPT_DAYS,
        "addresses": settings.ADDRESSES_KEPT_DAYS,
        "talk": settings.TALK_KEPT_DAYS,
        "sessions": settings.SESSION_COOKIE_AGE // 86_400,
    }
    return render(request, "privacy.html", {"kept": periods, "page": load_page("privacy")})


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without a valid CSRF token."""
    if wants_json(request) and settings.SESSION_COOKIE_NAME not in request.COOKIES:
        sentence = _("Send a token with this request: Authorization: Bearer …")
        response = _error_page(request, HTTPStatus.UNAUTHORIZED, "no_token", sentence)
        response["WWW-Authenticate"] = "Bearer"
        return response
    sentence = _("This page was out of date. Load it again and send the form once more.")
    return _error_page(request, HTTPStatus.FORBIDDEN, "csrf", sentence)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    sentence = _("This request cannot be understood. Go back, load the page again and try once more.")
    return _early_error_page(request, HTTPStatus.BAD_REQUEST, "malformed", sentence)


def too_large(request: HttpRequest) -> HttpResponse:
    """Answer a form with too many fields."""
    sentence = _("This form is too large.")
    return _early_error_page(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", sentence)


def _early_error_page(request: HttpRequest, status: HTTPStatus, reason: str, sentence: str) -> HttpResponse:
    if not wants_json(request) and not hasattr(request, "user"):
        # Refused before the session middleware ran: render for an anonymous visitor.
        request.user, request.session = AnonymousUser(), SessionStore()
    return _error_page(request, status, reason, sentence)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    sentence = str(exception or "") or _("You do not have access to this page.")
    return _error_page(request, HTTPStatus.FORBIDDEN, "forbidden", sentence)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    sentence = _("There is nothing at this address.")
    return _error_page(request, HTTPStatus.NOT_FOUND, "not_found", sentence)


def server_error(request: HttpRequest) -> HttpResponse:
    if get_outage_reason(sys.exception()):
        return _unavailable(request)
    sentence = _("Something broke on our side. Load the page again: it shows what is stored.")
    return _standalone_error(request, 500, "broken", _("Something broke"), sentence)


def _unavailable(request: HttpRequest) -> HttpResponse:
    """Answer 503 while the database is unreachable, locked or full."""
    reading = request.method in ("GET", "HEAD")
    sentence = _("This page cannot be shown just now. Load it again in a moment.")
    text = sentence if reading else refusal_sentence("unavailable")
    response = _standalone_error(request, 503, "unavailable", _("Not just now"), text)
    response["Retry-After"] = "5"
    return response


def _standalone_error(
    request: HttpRequest, status: int, reason: str, title: str, sentence: str
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"error": sentence, "reason": reason}, status=status)
    # Rendered without the request: its user or session may have failed.
    name = get_last_known_site().name
    page = render_to_string("500.html", {"title": title, "sentence": sentence, "site_name": name})
    return HttpResponse(page, status=status)


def _error_page(request: HttpRequest, status: HTTPStatus, reason: str, sentence: str) -> HttpResponse:
    # Error views may run in a thread without request signals: its connection may be stale.
    if not connection.in_atomic_block:
        close_old_connections()
    if wants_json(request):
        return JsonResponse({"error": sentence, "reason": reason}, status=status)
    return render(request, f"{status.value}.html", {"sentence": sentence, "reason": reason}, status=status)
