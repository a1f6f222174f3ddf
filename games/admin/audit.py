"""The read-only audit log: what staff did in the admin, by person, object and day."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG, ChangeList
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from core.admin_rights import ReadOnly
from core.http import CSV_BOM, CSV_TYPE
from core.numbers import parse_whole_number
from games.models import Report
from games.past.own_cases import exclude_own_log
from operators.logged_values import describe_values, translate_label

ROWS_AT_ONCE = 500
CSV_COLUMNS = ("time", "staff", "action", "kind", "key", "object", "about", "reason")


class KeyFilter(admin.SimpleListFilter):
    """Entries that refer to one row by the foreign key `field`."""

    field: ClassVar[str]

    def queryset(self, request: HttpRequest, queryset: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
        key = parse_whole_number(self.value() or "")
        return queryset if key is None else queryset.filter(**{self.field: key})


class StaffFilter(KeyFilter):
    title = gettext_lazy("who")
    parameter_name = "by"
    field = "user"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        staff = User.objects.filter(pk__in=LogEntry.objects.values("user")).order_by("username")
        return [(str(person.pk), person.username) for person in staff]


class KindFilter(KeyFilter):
    title = gettext_lazy("kind")
    parameter_name = "kind"
    field = "content_type"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        kinds = ContentType.objects.filter(pk__in=LogEntry.objects.values("content_type"))
        return [(str(kind.pk), kind.name) for kind in kinds]


class ObjectFilter(admin.SimpleListFilter):
    """The object of an entry, chosen by its link in the list: `KIND:KEY`."""

    title = gettext_lazy("object")
    parameter_name = "object"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        chosen = self.used_parameters.get(self.parameter_name) or request.GET.get(self.parameter_name, "")
        return [(chosen, chosen)] if chosen else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
        kind, _colon, key = (self.value() or "").partition(":")
        number = parse_whole_number(kind)
        return queryset.filter(content_type=number, object_id=key) if number is not None else queryset


class _Echo:
    """A file for `csv.writer` that returns each row."""

    def write(self, row: str) -> str:
        return row


class LogList(ChangeList):
    """A page of the log, which knows whom its reports are about: a report's words do not say it."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list)
        subjects = find_subjects(self.result_list)
        for entry in self.result_list:
            entry.subject = _find_subject(entry, subjects)


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, admin.ModelAdmin):
    """The actions of staff, newest first, without those that concern the reader."""

    list_display = ["action_time", "by", "action", "kind", "which", "message"]
    list_display_links = None
    list_filter = [StaffFilter, KindFilter, ObjectFilter, "action_flag"]
    list_select_related = ["user", "content_type"]
    search_fields = ["object_repr", "change_message"]
    date_hierarchy = "action_time"
    show_full_result_count = False
    sortable_by = ()
    change_list_template = "admin/games/audit.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return exclude_own_log(super().get_queryset(request), cast(User, request.user))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LogList

    def get_urls(self) -> list[Any]:
        export = self.admin_site.admin_view(self.export)
        return [path("export/", export, name="admin_logentry_export"), *super().get_urls()]

    def export(self, request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        """Send the filtered log as CSV; with impossible filters go to the list, which says so."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            entries = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            return redirect(f"{reverse('admin:admin_logentry_changelist')}?{ERROR_FLAG}=1")
        writer = csv.writer(_Echo())
        headers = {"Content-Disposition": 'attachment; filename="audit-log.csv"'}
        rows: Iterator[Any] = (
            writer.writerow(row) for row in chain([CSV_COLUMNS], _build_rows(entries.iterator(ROWS_AT_ONCE)))
        )
        return StreamingHttpResponse(chain([CSV_BOM], rows), content_type=CSV_TYPE, headers=headers)

    @admin.display(description=gettext_lazy("who"))
    def by(self, entry: LogEntry) -> str:
        return entry.user.username

    @admin.display(description=gettext_lazy("action"))
    def action(self, entry: LogEntry) -> str:
        return entry.get_action_flag_display()

    @admin.display(description=gettext_lazy("kind"))
    def kind(self, entry: LogEntry) -> str:
        return entry.content_type.name if entry.content_type else "-"

    @admin.display(description=gettext_lazy("object"))
    def which(self, entry: LogEntry) -> str:
        if not entry.object_id:
            return entry.object_repr
        chosen = f"{entry.content_type_id}:{entry.object_id}"
        subject = getattr(entry, "subject", "")
        about = format_html(" ({})", gettext("about %(name)s") % {"name": subject}) if subject else ""
        return format_html('<a href="?object={}">{}</a>{}', chosen, entry.object_repr, about)

    @admin.display(description=gettext_lazy("reason"))
    def message(self, entry: LogEntry) -> str:
        return get_message(entry)


def get_message(entry: LogEntry) -> str:
    """Return the message in the reader's language, with old and new values where the log has them."""
    try:
        parts = json.loads(entry.change_message)
        values = [describe_values(change) for part in parts for change in part.values()]
        for part in parts:
            for change in part.values():
                change["fields"] = [translate_label(label) for label in change["fields"]]
    except (ValueError, TypeError, AttributeError, KeyError):
        return entry.get_change_message()  # in somebody's words, or without fields
    return "; ".join(filter(None, values)) or LogEntry(change_message=json.dumps(parts)).get_change_message()


def find_subjects(entries: Iterable[LogEntry]) -> dict[str, str]:
    """Return whom the reports of these entries are about, by the report's key: a person, or a match's players."""
    kind = ContentType.objects.get_for_model(Report).pk
    keys = [entry.object_id for entry in entries if entry.content_type_id == kind and entry.object_id]
    reports = Report.objects.filter(pk__in=keys).select_related("person", "talk__user", "match")
    return {str(report.pk): report.subject for report in reports.prefetch_related("match__seats")}


def _find_subject(entry: LogEntry, subjects: Mapping[str, str]) -> str:
    is_report = entry.content_type_id == ContentType.objects.get_for_model(Report).pk
    return subjects.get(entry.object_id or "", "") if is_report else ""


def _escape_formula(text: str) -> str:
    """Keep a spreadsheet from computing what somebody wrote."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _build_rows(entries: Iterator[LogEntry]) -> Iterator[tuple[str, ...]]:
    while batch := list(islice(entries, ROWS_AT_ONCE)):
        subjects = find_subjects(batch)
        yield from (_build_row(entry, subjects) for entry in batch)


def _build_row(entry: LogEntry, subjects: Mapping[str, str]) -> tuple[str, ...]:
    row = (
        entry.action_time.isoformat(timespec="seconds"),
        entry.user.username,
        entry.get_action_flag_display(),
        str(entry.content_type or ""),
        entry.object_id or "",
        entry.object_repr,
        _find_subject(entry, subjects),
        get_message(entry),
    )
    return tuple(map(_escape_formula, row))
