"""Enter and confirm results: on a person's own page, by the code on the table's sheet, or as a director."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.http import HtmxHttpRequest, get_text, wants_json
from core.numbers import parse_whole_number
from nights import services
from nights.codes import is_table_code, table_code
from nights.entering import HandsForm, read_points
from nights.loaded import load_night
from nights.models import Night, NightTable
from nights.own_page import OwnPage
from nights.pages import NightPage
from nights.refusals import NightRefused
from nights.requests import find_own_entry, find_sender, get_entry, get_night, mark_device, parse_number
from nights.rows import SideRow, TableRow
from nights.table_rows import describe_entered
from nights.views.answers import answer, sends_result


@never_cache
@require_safe
def enter_own(request: HtmxHttpRequest, code: str, secret: str) -> HttpResponse:
    """Show the sheet on which a person enters the result of their table."""
    night = get_night(code)
    entry = get_entry(night, secret)
    loaded = load_night(night)
    own = OwnPage(loaded, loaded.entries[entry.number])
    page = NightPage(loaded, own=entry.number)
    if own.table is None:
        return render(request, "nights/no_table.html", {"night": night, "back": _own_address(night, secret)})
    context = _sheet_page(page, own.table, request) | {"secret": secret, "back": _own_address(night, secret)}
    return mark_device(request, render(request, "nights/enter.html", context))


@never_cache
@require_safe
def enter_table(request: HtmxHttpRequest, code: str, table: int, table_code: str) -> HttpResponse:
    """Show the sheet of a table in the present round, to whoever has the code on its paper.

    A director sees that of an earlier round, too: `?round=2`.
    """
    night = get_night(code)
    if not is_table_code(night, table, table_code):
        raise Http404
    loaded = load_night(night)
    is_director = night.is_directed_by(request.user.pk)
    chosen = parse_whole_number(request.GET.get("round", "")) if is_director else None
    page = NightPage(loaded, is_director=is_director, chosen=chosen)
    row = _find_row(page, table)
    if row is None or loaded.is_over:
        return render(request, "nights/no_table.html", {"night": night, "back": night.get_absolute_url()})
    entry = find_own_entry(request, night)
    back = _own_address(night, entry.secret) if entry else night.get_absolute_url()
    context = _sheet_page(page, row, request) | {
        "table_code": table_code,
        "back": _desk_address(page) if is_director else back,
    }
    return mark_device(request, render(request, "nights/enter.html", context))


def _find_row(page: NightPage, number: int) -> NightTable | None:
    tables = page.shown.tables.all() if page.shown else ()
    return next((table for table in tables if table.number == number), None)


def _desk_address(page: NightPage) -> str:
    """Return where a director sees the round of the page."""
    address = page.night.get_absolute_url()
    return address if page.shown == page.loaded.last else f"{address}?round={page.round_number}"


def _own_address(night: Night, secret: str) -> str:
    return reverse("night-me", args=[night.code, secret])


def _sheet_page(page: NightPage, table: NightTable, request: HtmxHttpRequest) -> dict[str, Any]:
    row = next(each for each in page.tables if each.number == table.number)
    sent = list(table.sent_results.select_related("entry", "director").order_by("pk"))
    return {
        "page": page,
        "night": page.night,
        "table": table,
        "row": row,
        "is_closed": not page.is_played and not page.is_director,
        "form": HandsForm(page.night, row),
        "entered": describe_entered(page.night, table, sent),
        "sides_with_values": _pair_values(row, _find_values(request, table)),
    }


def _find_values(request: HtmxHttpRequest, table: NightTable) -> list[str]:
    """Return what was written; at first, what is entered already."""
    if request.method == "POST":
        return request.POST.getlist("point")
    is_entered = table.status in (NightTable.Status.ENTERED, NightTable.Status.CONFIRMED)
    return [str(each) for each in table.points or ()] if is_entered else []


def _pair_values(row: TableRow, values: list[str]) -> list[tuple[SideRow, str]]:
    written = [*values, *[""] * len(row.sides)]
    return list(zip(row.sides, written, strict=False))


@sends_result
def result(request: HtmxHttpRequest, night: Night) -> HttpResponse:
    """Store a result: `points` by side, or `hands`; the sender is the field `me` or `code`, or the account.

    A script that opens a page afterwards sends `page`, too: that page then says what became of the result.
    """
    number, round_number = parse_number(request, "table"), parse_number(request, "round")
    sender = find_sender(request, night, number)
    points, hands = read_points(request, night, _count_sides(night, round_number, number))
    version = _read_version(request)
    try:
        services.enter(night, round_number, number, version, points, sender, timezone.now(), hands)
    except NightRefused as refusal:
        if wants_json(request):
            raise
        return _keep_form(request, night, round_number, number, refusal)
    table = _find_table(night, round_number, number)
    sentence = _describe_entered(table, points)
    if not wants_json(request) or "page" in request.POST:
        messages.success(request, sentence)
    address = _after(request, night, round_number)
    return answer(request, address, version=table.version, state=table.status, sentence=sentence)


def _keep_form(
    request: HtmxHttpRequest, night: Night, round_number: int, number: int, refusal: NightRefused
) -> HttpResponse:
    """Show the sheet again with what was written, and the table's present version."""
    is_director = night.is_directed_by(request.user.pk)
    page = NightPage(load_night(night), is_director=is_director, chosen=round_number)
    table = _find_row(page, number)
    if table is None or page.round_number != round_number:
        raise refusal
    secret = get_text(request.POST, "me")
    context = _sheet_page(page, table, request) | {
        "refusal": refusal.sentence,
        "secret": secret,
        "table_code": get_text(request.POST, "code") or table_code(night, number) * (not secret),
        "back": _after(request, night, round_number),
    }
    return render(request, "nights/enter.html", context, status=refusal.status)


def _describe_entered(table: NightTable, points: list[int]) -> str:
    """Return what became of the result that was just sent."""
    if table.is_decided and table.points != points:
        return _(
            "This table has another result, which stays. Yours is kept beside it, and the directors see it."
        )
    if table.drawn_round.closed_at is not None and not table.is_decided:
        return NightRefused("closed").sentence
    return {
        NightTable.Status.CONFIRMED: _("The result is confirmed."),
        NightTable.Status.DISPUTED: _(
            "The other side entered something else. Whoever runs the night decides."
        ),
    }.get(NightTable.Status(table.status), _("The result is entered. The other side confirms it."))


def _find_table(night: Night, round_number: int, number: int) -> NightTable:
    table = (
        NightTable.objects.select_related("drawn_round")
        .filter(
            drawn_round__night=night,
            drawn_round__number=round_number,
            drawn_round__undone_at=None,
            number=number,
        )
        .first()
    )
    if table is None:
        raise NightRefused("no_such_table", 404)
    return table


def _count_sides(night: Night, round_number: int, number: int) -> int:
    return len(_find_table(night, round_number, number).sides)


def _read_version(request: HtmxHttpRequest) -> int:
    """Return the table's version; the desk, whose `version` is the night's, has it in the address of its button."""
    return parse_number(request, "table_version" if "table_version" in request.GET else "version")


def _after(request: HtmxHttpRequest, night: Night, round_number: int) -> str:
    """Return where the sender's own page is; a director's shows the round."""
    secret = get_text(request.POST, "me")
    if secret and night.entries.filter(secret=secret).exists():
        return _own_address(night, secret)
    if night.is_directed_by(request.user.pk):
        return _desk_address(NightPage(load_night(night), is_director=True, chosen=round_number))
    entry = find_own_entry(request, night)
    if entry is not None:
        return _own_address(night, entry.secret)
    table, code = parse_number(request, "table"), get_text(request.POST, "code")
    if is_table_code(night, table, code):
        return reverse("night-table", args=[night.code, table, code])
    return night.get_absolute_url()


@sends_result
def confirm(request: HtmxHttpRequest, night: Night) -> HttpResponse:
    """Confirm what the other side has entered."""
    number, round_number = parse_number(request, "table"), parse_number(request, "round")
    sender = find_sender(request, night, number)
    to = _after(request, night, round_number)
    try:
        services.confirm(night, round_number, number, _read_version(request), sender, timezone.now())
    except NightRefused as refusal:
        if wants_json(request):
            raise
        messages.error(request, refusal.sentence)
    return answer(request, to)
