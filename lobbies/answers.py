"""Responses to a form: a page for browsers, fragments for htmx, JSON for clients that ask for it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from core.http import HtmxHttpRequest, see_other, wants_json
from live import seated
from lobbies.commitments import build_state
from lobbies.models import Table
from lobbies.refusals import TableRefused
from lobbies.requests import get_table
from lobbies.table import table_context

SAID_AT_THE_TABLE = ("started", "guests")  # refusals that the page of the table or its match speaks of


def redirect_to_table(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    """Redirect somebody who sits there to the table, or to its match once that has started."""
    _note_seated(request, row)
    if wants_json(request):
        return JsonResponse(_table_json(row, request.user))
    address = row.get_absolute_url()
    return HttpResponseClientRedirect(address) if request.htmx else see_other(address)


def _note_seated(request: HtmxHttpRequest, row: Table) -> None:
    # Before the page is loaded, which must not wait for others. The match will have the table's code.
    if request.user.is_authenticated:
        seated.note(request.session.session_key, row.code)


def _table_json(row: Table, user: User | AnonymousUser) -> dict[str, Any]:
    sittings = list(row.sittings.all())
    own = next(
        (sitting for sitting in sittings if user.is_authenticated and sitting.user_id == user.pk), None
    )
    if own is None:
        return {"table": row.code, "status": row.status, "seal": row.seal, "rated": row.rated}
    return build_state(row, own, sittings) | {"rated": row.rated}


def redirect_to(request: HtmxHttpRequest, to: str) -> HttpResponse:
    """Redirect to another page."""
    if wants_json(request):
        return JsonResponse({})
    return HttpResponseClientRedirect(resolve_url(to)) if request.htmx else see_other(to)


def render_table(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    """Render the changed table: the fragment for htmx, else a redirect."""
    if wants_json(request) or not request.htmx or not row.open:
        return redirect_to_table(request, row)
    _note_seated(request, row)
    context = table_context(row, request.user) | {"swap": True, "refusal": ""}
    return render(request, "lobbies/_table.html", context)


def render_refusal(request: HtmxHttpRequest, refusal: TableRefused, to: Any) -> HttpResponse:
    """Show a refusal: beside the table for htmx, else as a message on the page `to`."""
    if wants_json(request):
        return refusal.as_json()
    if request.htmx and isinstance(to, Table):
        to.refresh_from_db()
        context = table_context(to, request.user) | {"swap": True, "refusal": refusal.sentence}
        return render(request, "lobbies/_table.html", context, status=refusal.status)
    if refusal.reason not in SAID_AT_THE_TABLE or not isinstance(to, Table):
        messages.error(request, refusal.sentence)
    address = resolve_url(to)
    return HttpResponseClientRedirect(address) if request.htmx else see_other(address)


def changes_table(view: Callable[[HtmxHttpRequest, Table], HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view that changes a table by a POST to its address: pass the table, and render a refusal."""

    @require_POST
    @wraps(view)
    def change(request: HtmxHttpRequest, code: str) -> HttpResponse:
        row = get_table(code)
        try:
            return view(request, row)
        except TableRefused as refusal:
            return render_refusal(request, refusal, row)

    return change
