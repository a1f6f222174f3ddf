"""Admin of groups, with permissions named in the reader's language."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

ACTIONS = {
    "add": gettext_lazy("add"),
    "change": gettext_lazy("change"),
    "delete": gettext_lazy("delete"),
    "view": gettext_lazy("view"),
    "ban_user": gettext_lazy("ban, bar from rated play"),
    "mute_user": gettext_lazy("warn, mute"),
}


class PermissionsField(forms.ModelMultipleChoiceField):
    """Permissions as "match: view"."""

    def label_from_instance(self, permission: Permission) -> str:
        name = permission.codename
        action = ACTIONS.get(name) or ACTIONS.get(name.partition("_")[0])
        if action is None:
            return permission.name
        return _("%(kind)s: %(action)s") % {"kind": permission.content_type.name, "action": action}


def _find_permissions() -> QuerySet[Permission]:
    """Return the permissions of the admin's lists, and those that somebody has."""
    kinds = ContentType.objects.get_for_models(*admin.site._registry).values()
    held = Q(group__isnull=False) | Q(user__isnull=False)
    found = Permission.objects.filter(Q(content_type__in=[kind.pk for kind in kinds]) | held)
    return found.select_related("content_type").distinct()


class NamedPermissions:
    """A mixin for admins of rows with permissions."""

    def formfield_for_manytomany(
        self, db_field: Any, request: HttpRequest | None = None, **options: Any
    ) -> Any:
        if db_field.remote_field.model is not Permission:
            return super().formfield_for_manytomany(db_field, request, **options)  # type: ignore[misc]
        options |= {"form_class": PermissionsField, "queryset": _find_permissions()}
        return super().formfield_for_manytomany(db_field, request, **options)  # type: ignore[misc]


admin.site.unregister(Group)


@admin.register(Group)
class NamedGroupAdmin(NamedPermissions, GroupAdmin):
    """The admin of groups."""
