"""Read-only admin of the changes of ratings."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import RatingChange, User
from core.admin_rights import ReadOnly
from core.numbers import display_rating, format_change
from games.table.rating_reasons import explain_change


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly, admin.ModelAdmin):
    """Changes of ratings, one for each match and person."""

    ordering = ["-id"]
    show_full_result_count = False
    list_per_page = 50
    list_display = ["at", "player", "pool", "match", "change", "reason"]
    fields = ["at", "player", "pool", "match", "change", "reason", "sources", "order"]
    list_filter = ["rating__pool"]
    list_select_related = ["rating__user"]
    search_fields = ["=match_code", "rating__user__username"]

    @admin.display(description=gettext_lazy("player"))
    def player(self, change: RatingChange) -> str:
        return change.rating.user.username

    @admin.display(description=gettext_lazy("pool"))
    def pool(self, change: RatingChange) -> str:
        return change.rating.get_pool_display()

    @admin.display(description=gettext_lazy("match"))
    def match(self, change: RatingChange) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("match", args=[change.match_code]), change.match_code
        )

    @admin.display(description=pgettext_lazy("of a rating", "change"))
    def change(self, change: RatingChange) -> str:
        before, after = display_rating(change.before), display_rating(change.after)
        words = _("%(change)s, %(before)d to %(after)d")
        return words % {"change": format_change(after - before), "before": before, "after": after}

    @admin.display(description=gettext_lazy("reason"))
    def reason(self, change: RatingChange) -> str:
        return explain_change(change)

    @admin.display(description=gettext_lazy("from whom"))
    def sources(self, change: RatingChange) -> str:
        """Return what came from each opponent, in whole points."""
        names = User.objects.in_bulk([key for key, _points in change.shares])
        parts = [
            f"{names[key].username} {format_change(display_rating(points))}"
            for key, points in change.shares
            if key in names
        ]
        return ", ".join(parts)
