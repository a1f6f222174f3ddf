"""Admin of sanctions."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts import conduct
from accounts.admin.filters import HasValueFilter
from accounts.models import Sanction
from accounts.moderators import may_decide
from core.admin_rights import WithoutAdd, WithoutDelete


@admin.register(Sanction)
class SanctionAdmin(WithoutAdd, WithoutDelete, admin.ModelAdmin):
    """Sanctions, with an action to undo them."""

    list_display = ["at", "person", "kind", "reason", "until", "by", "undone_at"]
    list_filter = ["kind", ("undone_at", HasValueFilter)]
    list_select_related = ["person", "by"]
    search_fields = ["person__username", "reason"]
    readonly_fields = ["person", "kind", "reason", "appeal", "at", "until", "by", "undone_at"]
    actions = ["undo"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Sanction]:
        return super().get_queryset(request).exclude(person=request.user.pk)

    @admin.action(description=gettext_lazy("Undo"), permissions=["change"])
    def undo(self, request: HttpRequest, chosen: QuerySet[Sanction]) -> None:
        for sanction in chosen.filter(undone_at=None).select_related("person"):
            if not may_decide(request.user, sanction.person):
                messages.warning(
                    request,
                    _("Another moderator must decide about %(name)s.") % {"name": sanction.person.username},
                )
                continue
            conduct.undo(sanction)
            self.log_change(request, sanction, pgettext("in the log", "undone"))
            messages.success(request, _("%(what)s – undone.") % {"what": sanction})
