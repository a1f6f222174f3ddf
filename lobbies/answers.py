"""Answers to a button: a page for browsers, fragments for htmx, JSON for clients that ask for it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django_htmx.http import HttpResponseClientRedirect

from core.http import HtmxHttpRequest, see_other, wants_json
from lobbies.models import Table
from lobbies.refusals import TableRefused
from lobbies.table import table_context


def led_to(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    """Lead on to the table, or to its match once that has started."""
    if wants_json(request):
        return JsonResponse({"table": row.code, "status": row.status, "seal": row.seal})
    address = row.get_absolute_url()
    return HttpResponseClientRedirect(address) if request.htmx else see_other(address)


def led_away(request: HtmxHttpRequest, to: str) -> HttpResponse:
    """Lead on to another page."""
    if wants_json(request):
        return JsonResponse({})
    return HttpResponseClientRedirect(resolve_url(to)) if request.htmx else see_other(to)


def refreshed(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    """Show the same table again as a change has left it: only its fragment where that is enough."""
    if wants_json(request) or not request.htmx or not row.open:
        return led_to(request, row)
    context = table_context(row, request.user) | {"swap": True, "refusal": ""}
    return render(request, "lobbies/_table.html", context)


def refused(request: HtmxHttpRequest, refusal: TableRefused, to: Any) -> HttpResponse:
    """Say why not: beside the table for htmx, otherwise as a message on the page `to`."""
    if wants_json(request):
        return refusal.as_json()
    if request.htmx and isinstance(to, Table):
        to.refresh_from_db()
        context = table_context(to, request.user) | {"swap": True, "refusal": refusal.sentence}
        return render(request, "lobbies/_table.html", context, status=refusal.status)
    # Whoever comes to a table whose match has started is told so there.
    if refusal.reason != "started" or not isinstance(to, Table):
        messages.error(request, refusal.sentence)
    address = resolve_url(to)
    return HttpResponseClientRedirect(address) if request.htmx else see_other(address)
