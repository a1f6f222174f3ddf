"""Challenges to the viewer, tables where they wait, running matches and nights, for every page."""

from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from core.http import read_once
from lobbies import lists, strip
from lobbies.company import Company, find_company
from lobbies.nights import get_source
from lobbies.notices import Notices, find_notices


def challenges(request: HttpRequest) -> dict[str, Any]:
    """Add `challenges`, `waits`, `reminders`, `company` and `strip`, queried only if the page uses them."""
    user = request.user

    def found() -> Notices:
        return read_once(request, find_notices)

    return {
        "challenges": SimpleLazyObject(
            lambda: lists.drop_offered(found().challenges, strip.get_page_code(request))
        ),
        "waits": SimpleLazyObject(lambda: lists.list_waiting_places(found().sittings)),
        "reminders": SimpleLazyObject(
            lambda: get_source().find_reminders(
                found().followed, timezone.now(), strip.get_page_code(request)
            )
        ),
        "company": SimpleLazyObject(lambda: find_company(user) if user.is_authenticated else Company()),
        "strip": SimpleLazyObject(lambda: strip.build_for_page(request)),
    }


def notices(user: User, csrf_token: str, page_code: str) -> str:
    """Render the challenges and the reminders as fragments for an open page, which may be about a match or table."""
    found = find_notices(user)
    context = {
        "challenges": lists.drop_offered(found.challenges, page_code),
        "reminders": get_source().find_reminders(found.followed, timezone.now(), page_code),
        "csrf_token": csrf_token,
        "swap": True,
    }
    return render_to_string("lobbies/_challenges.html", context) + render_to_string(
        "lobbies/_nights.html", context
    )
