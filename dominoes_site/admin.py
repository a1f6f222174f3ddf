"""The admin site: allowed lookups, and the overview on its first page."""

from datetime import MAXYEAR, timedelta
from typing import Any, cast

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.admin import AdminSite, EmptyFieldListFilter, ModelAdmin, SimpleListFilter
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import known
from accounts.models import User
from core.broken_rows import find_broken_rows
from core.numbers import parse_whole_number
from dominoes_site import figures, unconnected, upkeep
from dominoes_site.interrupted import find_interrupted
from games.models import Connection, Match, Report
from games.past.desk import count_open_cases
from games.past.own_cases import exclude_own_reports
from lobbies.models import Table
from operators.site_settings import get_site, load_site

DAY = timedelta(days=1)


# The lookups used by filter links. Any other would reveal columns that no page shows.
FILTER_LOOKUPS = ("", "__exact", "__isnull", "__isempty")
EMPTY_LOOKUP = "__isempty"  # the only one of filters by whether a field has a value
# Parts of a date. Django computes where the period ends, which is still a date.
DATE_PARTS = {"__year": range(1, MAXYEAR), "__month": range(1, 13), "__day": range(1, 32)}

# The order of the overview: what is moderated, what the operator sets, and what the libraries keep.
APPS_BY_URGENCY = (
    "games",
    "accounts",
    "lobbies",
    "events",
    "operators",
    "admin",
    "auth",
    "account",
    "mfa",
    "usersessions",
)
MODELS_BY_URGENCY = ("Report", "Match", "Talk", "Rerating", "User", "Sanction", "Table", "SiteSettings")


class FilterLookupsOnly(ModelAdmin):
    """A list that accepts only the lookups of its filters and dates; Django accepts every lookup."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        entries = self.get_list_filter(request)
        allowed = {path for entry in entries if not isinstance(entry, type) for path in _list_lookups(entry)}
        own = [entry for entry in entries if isinstance(entry, type) and issubclass(entry, SimpleListFilter)]
        allowed |= {entry.parameter_name for entry in own if entry.parameter_name}
        return lookup in allowed or self._is_part_of_date(lookup, value)

    def _is_part_of_date(self, lookup: str, value: str) -> bool:
        if not self.date_hierarchy:
            return False
        possible = DATE_PARTS.get(lookup.removeprefix(self.date_hierarchy))
        return possible is not None and parse_whole_number(value) in possible


def _list_lookups(entry: Any) -> list[str]:
    """Return the lookups of a filter that names a field, alone or with the class of the filter."""
    field, kind = entry if isinstance(entry, tuple) else (entry, None)
    if kind is not None and issubclass(kind, EmptyFieldListFilter):
        return [f"{field}{EMPTY_LOOKUP}"]
    return [f"{field}{suffix}" for suffix in FILTER_LOOKUPS]


class Admin(AdminSite):
    """The site's admin."""

    index_title = gettext_lazy("Overview")

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        self.disable_action("delete_selected")  # only services delete what people have done

    def register(
        self, model_or_iterable: Any, admin_class: type[ModelAdmin] | None = None, **options: Any
    ) -> None:
        """Register a model with `FilterLookupsOnly`; libraries' models, too."""
        base = admin_class or ModelAdmin
        super().register(model_or_iterable, type(base.__name__, (FilterLookupsOnly, base), {}), **options)

    def get_urls(self) -> list[Any]:
        return [path("figures/", self.admin_view(self.figures), name="figures"), *super().get_urls()]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        name = get_site().name
        return super().each_context(request) | {"site_title": name, "site_header": name}

    def figures(self, request: HttpRequest) -> HttpResponse:
        """Show staff the plots of what happens on the site."""
        return figures.show(request, self)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the apps and models by urgency, the others after them by name, as Django does."""
        apps = super().get_app_list(request, app_label)
        for app in apps:
            app["models"].sort(key=lambda model: _find_place(model["object_name"], MODELS_BY_URGENCY))
        return sorted(apps, key=lambda app: _find_place(app["app_label"], APPS_BY_URGENCY))

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not _lacks_second_factor(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if super().has_permission(request) and _lacks_second_factor(request):
            said = _("Staff of this site need a second factor. Set one up here, then come back.")
            messages.warning(request, said)
            return redirect("mfa_index")
        response = super().login(request, extra_context)
        if request.method == "POST" and request.user.is_authenticated:
            known.remember(request, response, request.user)
        return response

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        return super().index(request, self._overview_context(request) | (extra_context or {}))

    def _overview_context(self, request: HttpRequest) -> dict[str, Any]:
        unconnected.check()
        warning = unconnected.MESSAGE if unconnected.is_lasting() else ""
        reader, site = cast(User, request.user), load_site()
        upkeep_warnings = upkeep.list_warnings() if reader.is_superuser else []
        return {
            "counts": overview(reader),
            "warnings": [*([warning] if warning else []), *upkeep_warnings],
            "broken_rows": find_broken_rows(),
            "maintenance": site.maintenance,
            "halted": find_interrupted().count() if site.halts_matches else 0,
        }


def _lacks_second_factor(request: HttpRequest) -> bool:
    """Return whether a second factor is required of this member of the staff, who has none."""
    return get_site().staff_second_factor and not is_mfa_enabled(cast(User, request.user))


def _find_place(name: str, names: tuple[str, ...]) -> int:
    return names.index(name) if name in names else len(names)


def overview(reader: User) -> list[tuple[str, int, str]]:
    """Return (label, count, address of the list) for the overview of this moderator."""
    now = timezone.now()
    people = User.objects.aggregate(
        players=Count("pk", filter=Q(date_joined__gt=now - DAY, is_guest=False)),
        guests=Count("pk", filter=Q(date_joined__gt=now - DAY, is_guest=True)),
    )
    ended = Match.objects.filter(ended_at__gt=now - DAY)
    pages = Connection.objects.open_at(now).filter(elsewhere=False)
    users, matches = reverse("admin:accounts_user_changelist"), reverse("admin:games_match_changelist")
    ended_list, joined_list = f"{matches}?ended=1", f"{users}?joined=1"
    return [
        (_("Open cases"), count_open_cases(reader), reverse("admin:games_cases")),
        (
            _("Open reports"),
            exclude_own_reports(Report.objects.filter(handled_at=None), reader).count(),
            f"{reverse('admin:games_report_changelist')}?handled_at__isempty=1",
        ),
        (
            _("Open tables"),
            Table.objects.filter(status=Table.Status.OPEN).count(),
            f"{reverse('admin:lobbies_table_changelist')}?status__exact=open",
        ),
        (
            _("Matches being played"),
            Match.objects.filter(status=Match.Status.PLAYING).count(),
            f"{matches}?status__exact=playing",
        ),
        (_("Open pages of matches"), pages.count(), f"{matches}?status__exact=playing"),
        (_("Matches that ended in the last 24 hours"), ended.count(), ended_list),
        (
            _("of them rated"),
            ended.filter(rating_order__isnull=False).count(),
            f"{ended_list}&rating_order__isempty=0",
        ),
        (_("New players in the last 24 hours"), people["players"], f"{joined_list}&is_guest__exact=0"),
        (_("New guests in the last 24 hours"), people["guests"], f"{joined_list}&is_guest__exact=1"),
    ]
