"""Translated names of the models and columns of libraries, which have none in this site's languages.

They are set at run time, so that the libraries' migrations do not change.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


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


def apply() -> None:
    """Set the names."""
    for label, name in APP_NAMES.items():
        apps.get_app_config(label).verbose_name = name
    for model, labels in LABELS.items():
        model._meta.verbose_name, model._meta.verbose_name_plural = labels.one, labels.several
        for column, name in labels.columns.items():
            model._meta.get_field(column).verbose_name = name
