"""Read-only admin of ratings."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from accounts.models import Rating, RatingChange
from core import numbers


class ReadOnlyAdmin(admin.ModelAdmin):
    """A list without add, change or delete."""

    show_full_result_count = False
    ordering = ["-id"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Rating | RatingChange | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Rating | RatingChange | None = None) -> bool:
        return False


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    """Ratings."""

    list_display = ["user", "pool", "rating", "matches", "wins", "finished", "ranked", "updated_at"]
    list_filter = ["pool", "ranked"]
    list_select_related = ["user"]
    search_fields = ["user__username"]

    @admin.display(description=gettext_lazy("finished, %"))
    def finished(self, rating: Rating) -> int | str:
        return "-" if rating.completion is None else rating.completion

    @admin.display(description=gettext_lazy("rating"), ordering="value")
    def rating(self, rating: Rating) -> int:
        return numbers.display_rating(rating.value)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnlyAdmin):
    """Changes of ratings, one for each match and person."""

    list_display = ["at", "player", "pool", "match_code", "was", "became", "order"]
    list_filter = ["rating__pool"]
    list_select_related = ["rating__user"]
    search_fields = ["=match_code", "rating__user__username"]

    @admin.display(description=gettext_lazy("player"))
    def player(self, change: RatingChange) -> str:
        return change.rating.user.username

    @admin.display(description=gettext_lazy("pool"))
    def pool(self, change: RatingChange) -> str:
        return change.rating.get_pool_display()

    @admin.display(description=gettext_lazy("rating before"))
    def was(self, change: RatingChange) -> int:
        return numbers.display_rating(change.before)

    @admin.display(description=gettext_lazy("rating after"))
    def became(self, change: RatingChange) -> int:
        return numbers.display_rating(change.after)
