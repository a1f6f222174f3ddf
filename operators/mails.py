"""The mails of the site: the operator's texts in place of the built-in ones."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from operators.models import MailText
from operators.translated import choose_text

# By the last part of the template's name: the title, and the placeholders that its text must contain.
MAILS = {
    "email_confirmation": (_("Confirm an address"), ("{link}",)),
    "password_reset_key": (_("A new password"), ("{link}",)),
    "account_already_exists": (_("Somebody signed up with an address that has an account"), ()),
    "notice": (_("Notice about an account"), ("{notice}",)),
    "digest": (_("Open cases, for moderators"), ("{n}", "{link}")),
}
PLACEHOLDERS = ("{name}", "{site}", "{link}", "{notice}", "{n}")
SAMPLE_VALUES = {
    "name": "mara",
    "site": "example.org",
    "link": "https://example.org/…",
    "notice": "The password was changed.",
    "n": "3",
}


class Mail(NamedTuple):
    subject: str
    body: str


def render_mail(key: str, values: Mapping[str, str], language: str = "") -> Mail | None:
    """Return the operator's mail in this language (default: the active one), or None where there is none."""
    text = MailText.objects.filter(key=key).first()
    return fill(text, values, language) if text else None


def fill(text: MailText, values: Mapping[str, str], language: str = "") -> Mail | None:
    """Put the values in place of the placeholders; return None without a text."""
    subject, body = choose_text(text.subject, language), choose_text(text.body, language)
    if not body:
        return None
    for name, value in values.items():
        subject, body = (part.replace(f"{{{name}}}", value) for part in (subject, body))
    return Mail(" ".join(subject.split()), body)
