"""List filters of the admin with fixed choices: Django's own scan the table for the existing values."""

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from core.numbers import parse_whole_number

if TYPE_CHECKING:
    from django.contrib.admin.filters import _ListFilterChoices

MAX_DAYS = 365


class RecentFilter(admin.SimpleListFilter):
    """Rows whose `field` lies in the last day or week."""

    field: ClassVar[str]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", _("in the last 24 hours")), ("7", _("in the last 7 days"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        days = parse_whole_number(self.value() or "")
        if not days:
            return queryset
        since = timezone.now() - timedelta(days=min(days, MAX_DAYS))
        return queryset.filter(**{f"{self.field}__gt": since})


class HasValueFilter(admin.EmptyFieldListFilter):
    """Rows by whether a field has a value, as no and yes: beside the field’s name Django’s "Empty" says too little."""

    def choices(self, changelist: ChangeList) -> Iterator["_ListFilterChoices"]:
        for word, choice in zip((_("All"), _("No"), _("Yes")), super().choices(changelist), strict=True):
            _title, parenthesis, count = str(choice["display"]).partition(" (")
            yield {**choice, "display": word + parenthesis + count}
