"""The kinds of mails that the site sends."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class MailKind(NamedTuple):
    """A mail of the site. Its text must contain the `required` placeholders, and may contain the `optional` ones."""

    title: str | Promise
    required: tuple[str, ...]
    optional: tuple[str, ...] = ("name", "site")

    @property
    def placeholders(self) -> tuple[str, ...]:
        return (*self.required, *self.optional)


# By the last part of the template's name.
MAILS = {
    "email_confirmation": MailKind(_("Confirm an address"), ("link",)),
    "password_reset_key": MailKind(_("A new password"), ("link",)),
    "account_already_exists": MailKind(
        _("Somebody signed up with an address that has an account"), (), ("link", "site")
    ),
    "notice": MailKind(_("Notice about an account"), ("notice",)),
    "digest": MailKind(_("Open cases, for moderators"), ("n", "link")),
}
