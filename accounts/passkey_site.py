"""The host to which passkeys belong: that of the configured address, whatever a request's Host says.

Without one, on a developer's machine, it is localhost. Browsers bind passkeys to names, not to IP addresses: where the
configured address is one, passkeys work nowhere.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from core.http import is_loopback

LOCAL_NAME = "localhost"


def get_passkey_host() -> str:
    return urlsplit(settings.SITE_URL).hostname or LOCAL_NAME


def find_address_for_passkeys(request: HttpRequest) -> str | None:
    """Return the address of this page at which passkeys work; None if they work here, "" if they work nowhere."""
    host, port = split_domain_port(request.get_host())
    own = get_passkey_host()
    if _is_ip_address(own):
        return ""
    if host == own or host.endswith(f".{own}"):
        return None
    if not settings.SITE_URL and not is_loopback(host.strip("[]")):
        return ""
    origin = settings.SITE_URL or f"{request.scheme}://{own}{f':{port}' if port else ''}"
    return f"{origin}{request.get_full_path()}"


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
