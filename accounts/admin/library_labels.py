"""Translated names of the models and columns of libraries, which have none in this site's languages.

They are set at run time, so that the libraries' migrations do not change.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, pgettext_lazy


class Labels(NamedTuple):
    """The names of one row, of several, and of the columns."""

    one: Any  # lazy texts
    several: Any
    columns: Mapping[str, Any]


APP_NAMES: Mapping[str, Any] = {"mfa": _("Second factors"), "usersessions": _("Devices")}
LABELS: dict[Any, Labels] = {
    Authenticator: Labels(
        _("second factor"),
        _("second factors"),
        {
            "user": _("person"),
            "type": _("kind"),
            "created_at": pgettext_lazy("a second factor", "since"),
            "last_used_at": _("last used"),
        },
    ),
    UserSession: Labels(
        _("device"),
        _("devices"),
        {
            "user": _("person"),
            "created_at": pgettext_lazy("a device", "since"),
            "last_seen_at": _("last seen"),
            "ip": _("address, hashed"),
            "user_agent": _("browser"),
            "data": _("data"),
        },
    ),
}
# Sentences of Django's admin that its translations build wrongly around a name. Those in this site's catalogue,
# which comes first, put the name after a colon.
DJANGO_SENTENCES = (
    gettext_noop("None available"),
    gettext_noop("Add %s"),
    gettext_noop("Change %s"),
    gettext_noop("View %s"),
    gettext_noop("Add %(name)s"),
    gettext_noop("Select all %(total_count)s %(module_name)s"),
    gettext_noop("The {name} “{obj}” was added successfully."),
    gettext_noop("The {name} “{obj}” was added successfully. You may add another {name} below."),
    gettext_noop("The {name} “{obj}” was changed successfully."),
    gettext_noop("The {name} “{obj}” was changed successfully. You may edit it again below."),
    gettext_noop("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    gettext_noop("The %(name)s “%(obj)s” was deleted successfully."),
    gettext_noop(
        'Are you sure you want to delete the %(object_name)s "%(escaped_object)s"? All of the following related items '
        "will be deleted:"
    ),
)


def apply() -> None:
    """Set the names."""
    for label, name in APP_NAMES.items():
        apps.get_app_config(label).verbose_name = name
    for model, labels in LABELS.items():
        model._meta.verbose_name, model._meta.verbose_name_plural = labels.one, labels.several
        for column, name in labels.columns.items():
            model._meta.get_field(column).verbose_name = name
