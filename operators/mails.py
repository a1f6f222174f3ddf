"""The mails of the site: the operator's texts in place of the built-in ones."""

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from operators.mail_kinds import MAILS
from operators.models import MailText
from operators.translated import choose_text

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
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


def find_placeholders(text: str) -> set[str]:
    """Return the names in braces in a text."""
    return set(_PLACEHOLDER.findall(text))


def fill_sample(text: MailText, language: str) -> Mail | None:
    """Return the mail with sample values, for a preview or a test mail."""
    values = SAMPLE_VALUES
    if settings.SITE_URL:
        values = values | {"site": urlsplit(settings.SITE_URL).netloc, "link": f"{settings.SITE_URL}/…"}
    return fill(text, {name: values[name] for name in MAILS[text.key].placeholders}, language)


def fill(text: MailText, values: Mapping[str, str], language: str = "") -> Mail | None:
    """Put the values in place of the placeholders; return None without a text."""
    subject, body = choose_text(text.subject, language), choose_text(text.body, language)
    if not body:
        return None
    for name, value in values.items():
        subject, body = (part.replace(f"{{{name}}}", value) for part in (subject, body))
    return Mail(" ".join(subject.split()), body)
