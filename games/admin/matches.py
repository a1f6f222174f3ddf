"""The admin of matches and of pending rating recomputations."""

from typing import TYPE_CHECKING, Any, cast, get_args

from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from core import numbers
from games import repository, wording
from games.admin.readonly import ReadOnlyAdmin
from games.engine import records
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.engine.state import MatchEnding
from games.models import Match, Move, Rerating, Seat
from games.past.own_cases import exclude_own_matches
from games.services import rerating

MAX_COUNTED_MATCHES = 10_000

if TYPE_CHECKING:  # generic in the type stubs only
    MatchModelAdmin = admin.ModelAdmin[Match]
    ReratingModelAdmin = admin.ModelAdmin[Rerating]
    SeatTabularInline = admin.TabularInline[Seat, Match]
    MoveTabularInline = admin.TabularInline[Move, Match]
    MatchPaginator = Paginator[Match]
else:
    MatchModelAdmin = ReratingModelAdmin = admin.ModelAdmin
    SeatTabularInline = MoveTabularInline = admin.TabularInline
    MatchPaginator = Paginator


class SeatInline(ReadOnlyAdmin, SeatTabularInline):
    model = Seat
    fields = [
        "position",
        "name",
        "user",
        "kind",
        "level",
        "score",
        "won",
        "left",
        "before",
        "after",
    ]
    readonly_fields = ["before", "after"]

    @admin.display(description=gettext_lazy("rating before"))
    def before(self, seat: Seat) -> str:
        return "" if seat.rating_before is None else str(numbers.display_rating(seat.rating_before))

    @admin.display(description=gettext_lazy("rating after"))
    def after(self, seat: Seat) -> str:
        return "" if seat.rating_after is None else str(numbers.display_rating(seat.rating_after))


class MoveInline(ReadOnlyAdmin, MoveTabularInline):
    model = Move
    fields = ["number", "seat", "text", "claim", "at"]


class CappedPaginator(MatchPaginator):
    """A paginator that counts at most `MAX_COUNTED_MATCHES`: counting a million rows is slow."""

    @cached_property
    def count(self) -> int:
        return cast(QuerySet[Match], self.object_list)[:MAX_COUNTED_MATCHES].count()


class PresetFilter(admin.SimpleListFilter):
    # Fixed choices, here and below: Django would scan all matches for the existing values.
    title = gettext_lazy("game")
    parameter_name = "preset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, wording.preset_title(name)) for name in PRESETS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(preset=self.value()) if self.value() else queryset


class ResultFilter(admin.SimpleListFilter):
    title = gettext_lazy("result")
    parameter_name = "result_how"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(how, wording.ending_name(how)) for how in get_args(MatchEnding)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(result_how=self.value()) if self.value() else queryset


class NewestFirstChangeList(ChangeList):
    """A change list ordered by primary key only: any other order would sort a million rows."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Match]) -> list[str | Combinable]:
        return ["-pk"]


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin, MatchModelAdmin):
    list_display = [
        "code",
        "game",
        "names",
        "status",
        "rated",
        "version",
        "started_at",
        "ended_at",
        "result",
    ]
    list_filter = [
        "status",
        PresetFilter,
        "rated",
        "private",
        ResultFilter,
        ("annulled_at", admin.EmptyFieldListFilter),
    ]
    search_fields = ["code", "seats__user__username"]
    search_help_text = gettext_lazy("A match's code, or how a player's name begins")
    sortable_by = ()
    paginator = CappedPaginator
    show_full_result_count = False
    fields = [
        "page",
        "preset",
        "rules_in_words",
        "rated",
        "private",
        ("clock_seconds", "clock_increment"),
        "seal",
        "entropy",
        ("status", "version", "next_action_at"),
        ("result", "winners", "scores"),
        ("started_at", "ended_at"),
        ("rating_order", "annulled_at"),
    ]
    readonly_fields = ["page", "rules_in_words", "result"]
    inlines = [SeatInline, MoveInline]
    actions = ["verify", "annul", "restore"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        """Leave out the moderator's own matches, which they may not annul, and those of open sets of deals."""
        matches = exclude_own_matches(super().get_queryset(request), cast(User, request.user))
        return matches.filter(concealed=False).prefetch_related("seats")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return NewestFirstChangeList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        """Search with indexes only; Django's own search joins every seat of every match."""
        for word in search_term.split():
            people = User.objects.filter(username__istartswith=word)
            sat = Seat.objects.filter(user__in=people).values("match")
            queryset = queryset.filter(Q(code=word) | Q(pk__in=sat))
        return queryset, False

    @admin.display(description=gettext_lazy("players"))
    def names(self, match: Match) -> str:
        return ", ".join(seat.display_name for seat in match.seats.all())

    @admin.display(description=gettext_lazy("game"))
    def game(self, match: Match) -> str:
        return wording.game_title(match.preset, match.rules, len(match.seats.all()))

    @admin.display(description=gettext_lazy("result"))
    def result(self, match: Match) -> str:
        return match.outcome

    @admin.display(description=gettext_lazy("rules"))
    def rules_in_words(self, match: Match) -> str:
        sentences = wording.describe_rules(Rules.from_dict(match.rules), len(match.seats.all()))
        return " ".join(sentence.text for sentence in sentences)

    @admin.display(description=gettext_lazy("page"))
    def page(self, match: Match) -> str:
        return format_html('<a href="{}">{}</a>', match.get_absolute_url(), match.code)

    def has_annul_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_match")

    @admin.action(description=gettext_lazy("Verify the records"), permissions=["view"])
    def verify(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        for match in chosen:
            if match.playing:
                messages.warning(request, _("%(code)s is still being played.") % {"code": match.code})
                continue
            try:
                records.verify(repository.build_record(match))
            except records.Fault as fault:
                messages.error(request, f"{match.code}: {fault}")
            else:
                messages.success(
                    request, _("%(code)s agrees with its rules and seal.") % {"code": match.code}
                )

    @admin.action(description=gettext_lazy("Annul, with the ratings undone"), permissions=["annul"])
    def annul(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        for match in chosen:
            if match.playing or match.annulled_at:
                messages.warning(
                    request, _("%(code)s is not a finished match that counts.") % {"code": match.code}
                )
                continue
            rerating.annul(match)
            self.log_change(request, match, "annulled")
            messages.success(
                request,
                _("%(code)s is annulled. The ratings are being computed again.") % {"code": match.code},
            )

    @admin.action(description=gettext_lazy("Let annulled matches count again"), permissions=["annul"])
    def restore(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        for match in chosen.exclude(annulled_at=None):
            rerating.restore(match)
            self.log_change(request, match, "restored")
            messages.success(
                request,
                _("%(code)s counts again. The ratings are being computed again.") % {"code": match.code},
            )


@admin.register(Rerating)
class ReratingAdmin(ReadOnlyAdmin, ReratingModelAdmin):
    """The progress of pending rating recomputations."""

    list_display = ["pool", "asked_at", "taken_at", "done", "total"]
