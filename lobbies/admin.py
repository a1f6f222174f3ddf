from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from lobbies.models import Sitting, Table

SEAT = ("position", "user", "level", "rating")


class SittingInline(admin.TabularInline):
    model = Sitting
    fields = SEAT
    readonly_fields = SEAT
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Table | None = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):
    """Tables to look at; never their secret."""

    list_display = ["code", "preset", "maker", "seats", "rated", "private", "status", "created_at"]
    list_filter = ["status", "preset", "rated", "private"]
    list_select_related = ["maker"]
    search_fields = ["code", "maker__username"]
    exclude = ["secret"]
    inlines = [SittingInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        return super().get_queryset(request).defer("secret")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Table | None = None) -> bool:
        return False
