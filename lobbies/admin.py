from django.contrib import admin
from django.http import HttpRequest

from lobbies.models import Sitting, Table

SEAT_FIELDS = ("position", "user", "level", "rating")


class SittingInline(admin.TabularInline):
    model = Sitting
    fields = SEAT_FIELDS
    readonly_fields = SEAT_FIELDS
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Table | None = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):
    """Read-only list of tables."""

    list_display = ["code", "preset", "host", "seats", "rated", "private", "status", "created_at"]
    list_filter = ["status", "preset", "rated", "private"]
    list_select_related = ["host"]
    search_fields = ["code", "host__username"]
    inlines = [SittingInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Table | None = None) -> bool:
        return False
