"""Where somebody comes from, as it is kept: hashed, to be compared and not to be read."""

from ipaddress import ip_address

from allauth.account.adapter import get_adapter
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

LENGTH = 32


def address_of(request: HttpRequest) -> str:
    """The hashed address of a request, behind a proxy the forwarded one; "" for this machine's own."""
    text = get_adapter().get_client_ip(request)
    try:
        if ip_address(text).is_loopback:
            return ""
    except ValueError:
        return ""
    return salted_hmac("accounts.addresses", text).hexdigest()[:LENGTH]
