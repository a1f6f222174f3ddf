"""The admin of nights and clubs: to look at, and to hide what a club says. It shows no personal link or invitation."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, pgettext

from core.admin_rights import ReadOnly
from nights import services
from nights.club_models import Club, Membership
from nights.models import Act, Night


class ActInline(ReadOnly, admin.TabularInline):
    model = Act
    fields = ["at", "user", "kind", "about", "before", "after"]
    readonly_fields = ["at", "user", "kind", "about", "before", "after"]
    extra = 0


@admin.register(Night)
class NightAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["name", "status", "starts_at", "host"]
    list_filter = ["status"]
    search_fields = ["name", "code"]
    inlines = [ActInline]


class MembershipInline(ReadOnly, admin.TabularInline):
    model = Membership
    fields = ["user", "role", "joined_at"]
    readonly_fields = ["user", "role", "joined_at"]
    extra = 0


@admin.register(Club)
class ClubAdmin(ReadOnly, admin.ModelAdmin):
    """The words of clubs; moderators hide a page from everybody but its members."""

    list_display = ["name", "place", "is_public", "is_hidden", "created_at"]
    list_filter = ["is_hidden", "is_public", "language"]
    search_fields = ["name", "slug", "place", "description"]
    actions = ["hide", "show"]
    inlines = [MembershipInline]

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Return whether the reader may hide what people write."""
        return request.user.has_perm("games.change_talk")

    @admin.action(description=gettext_lazy("Hide"), permissions=["moderate"])
    def hide(self, request: HttpRequest, chosen: QuerySet[Club]) -> None:
        self._set_hidden(request, chosen, True, pgettext("in the log", "hidden"))

    @admin.action(description=gettext_lazy("Show again"), permissions=["moderate"])
    def show(self, request: HttpRequest, chosen: QuerySet[Club]) -> None:
        """Show them again, but for those of which the moderator is a member."""
        others = chosen.exclude(memberships__user=request.user.pk)
        self._set_hidden(request, others, False, pgettext("in the log", "shown again"))

    def _set_hidden(self, request: HttpRequest, chosen: QuerySet[Club], hidden: bool, logged: str) -> None:
        for club in chosen:
            services.set_club_hidden(club, hidden)
            self.log_change(request, club, logged)
