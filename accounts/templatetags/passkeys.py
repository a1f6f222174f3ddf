"""Where passkeys can work."""

from typing import Any

from django import template

from accounts.passkey_site import find_address_for_passkeys

register = template.Library()


@register.simple_tag(takes_context=True)
def address_for_passkeys(context: dict[str, Any]) -> str | None:
    """Return the address of this page at which passkeys work; None if they work here, "" if they work nowhere."""
    return find_address_for_passkeys(context["request"])
