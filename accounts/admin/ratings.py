"""Read-only admin of ratings; their changes are in `games.admin.rating_changes`, which explains them."""

from django.contrib import admin
from django.utils.translation import gettext_lazy

from accounts.models import Rating, User
from core import numbers
from core.admin_rights import ReadOnly


@admin.register(Rating)
class RatingAdmin(ReadOnly, admin.ModelAdmin):
    """Ratings."""

    ordering = ["-id"]
    show_full_result_count = False
    list_display = ["user", "pool", "rating", "matches", "wins", "finished", "ranked", "updated_at"]
    list_filter = ["pool", "ranked"]
    list_select_related = ["user"]
    search_fields = ["user__username"]
    fields = [
        "user",
        "pool",
        "rating",
        "matches",
        "wins",
        "finished",
        "ranked",
        "established",
        "latest",
        "first_opponents",
        "updated_at",
    ]

    @admin.display(description=gettext_lazy("the last ratings"))
    def latest(self, rating: Rating) -> str:
        return ", ".join(str(numbers.display_rating(value)) for value in rating.recent)

    @admin.display(description=gettext_lazy("the first opponents"))
    def first_opponents(self, rating: Rating) -> str:
        return ", ".join(User.objects.filter(pk__in=rating.opponents).values_list("username", flat=True))

    @admin.display(description=gettext_lazy("finished, %"))
    def finished(self, rating: Rating) -> int | str:
        return "-" if rating.completion is None else rating.completion

    @admin.display(description=gettext_lazy("rating"), ordering="value")
    def rating(self, rating: Rating) -> int:
        return numbers.display_rating(rating.value)
