"""People for the operators: banning with a reason, muting, and standings to look at."""

from datetime import timedelta

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Rating, RatingChange, User
from live.announce import announce


@admin.register(User)
class PeopleAdmin(UserAdmin):
    list_display = ["username", "email", "is_guest", "date_joined", "last_login", "banned_at", "muted_until"]
    list_filter = [
        "is_guest",
        "is_staff",
        ("banned_at", admin.EmptyFieldListFilter),
        ("muted_until", admin.EmptyFieldListFilter),
        ("deleted_at", admin.EmptyFieldListFilter),
    ]
    search_fields = ["username", "email"]
    date_hierarchy = "date_joined"
    readonly_fields = ["last_login", "date_joined", "banned_at", "deleted_at"]
    fieldsets = [
        (None, {"fields": ["username", "password", "email", "is_guest"]}),
        (gettext_lazy("Conduct"), {"fields": ["banned_at", "banned_reason", "muted_until"]}),
        (gettext_lazy("Access"), {"fields": ["is_active", "is_staff", "is_superuser", "groups"]}),
        (gettext_lazy("Dates"), {"fields": ["last_login", "date_joined", "deleted_at"]}),
    ]
    actions = ["ban", "unban", "mute_for_a_day", "mute_for_a_week", "unmute"]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        """A moderator who is no superuser writes conduct only: nobody raises their own rights."""
        fields = list(super().get_readonly_fields(request, obj))
        if not request.user.is_superuser:
            fields += [
                "username",
                "password",
                "email",
                "is_guest",
                "is_active",
                "is_staff",
                "is_superuser",
                "groups",
            ]
        return fields

    @admin.action(
        description=gettext_lazy("Ban (give the reason on the person's page)"), permissions=["change"]
    )
    def ban(self, request: HttpRequest, people: QuerySet[User]) -> None:
        for person in people.filter(banned_at=None, is_superuser=False):
            person.banned_at = timezone.now()
            person.save(update_fields=["banned_at"])
            announce(f"user.{person.pk}", {"type": "session.ended"})
            self.log_change(request, person, "banned")
        messages.success(request, _("Banned. Superusers are left out."))

    @admin.action(description=gettext_lazy("Lift the ban"), permissions=["change"])
    def unban(self, request: HttpRequest, people: QuerySet[User]) -> None:
        people.update(banned_at=None)

    @admin.action(description=gettext_lazy("Mute for a day"), permissions=["change"])
    def mute_for_a_day(self, request: HttpRequest, people: QuerySet[User]) -> None:
        people.update(muted_until=timezone.now() + timedelta(days=1))

    @admin.action(description=gettext_lazy("Mute for a week"), permissions=["change"])
    def mute_for_a_week(self, request: HttpRequest, people: QuerySet[User]) -> None:
        people.update(muted_until=timezone.now() + timedelta(days=7))

    @admin.action(description=gettext_lazy("Let speak again"), permissions=["change"])
    def unmute(self, request: HttpRequest, people: QuerySet[User]) -> None:
        people.update(muted_until=None)


class Kept(admin.ModelAdmin):
    """Rows that only `ratings` writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        return False


@admin.register(Rating)
class RatingAdmin(Kept):
    list_display = ["user", "pool", "value", "matches", "wins", "updated_at"]
    list_filter = ["pool"]
    list_select_related = ["user"]
    search_fields = ["user__username"]
    show_full_result_count = False


@admin.register(RatingChange)
class RatingChangeAdmin(Kept):
    list_display = ["at", "rating", "match_code", "before", "after", "order"]
    list_filter = ["rating__pool"]
    list_select_related = ["rating__user"]
    search_fields = ["rating__user__username", "match_code"]
    show_full_result_count = False
