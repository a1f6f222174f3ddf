"""The admin of nights: to look at, with what their directors did. It shows no personal link."""

from django.contrib import admin

from core.admin_rights import ReadOnly
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
