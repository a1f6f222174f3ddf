"""Which person played a set with a browser first: whoever starts it there later plays it "again"."""

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

COOKIE = "daily"  # the set that this browser has played, with the person's key
COOKIE_AGE_SECONDS = 3 * 86_400
SALT = "events.daily"


def find_first_player(request: HttpRequest, deals: str) -> int | None:
    """Return the key of the person who played this set with the browser first, or None."""
    try:
        data = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=COOKIE_AGE_SECONDS)
    except signing.BadSignature:
        return None
    return data["by"] if data["deals"] == deals else None


def note_player(request: HttpRequest, response: HttpResponse, deals: str, user_id: int) -> None:
    """Let the browser say from now on that this person has played the set with it, unless somebody had."""
    if find_first_player(request, deals) is not None:
        return
    value = signing.dumps({"deals": deals, "by": user_id}, salt=SALT)
    response.set_cookie(
        COOKIE, value, COOKIE_AGE_SECONDS, httponly=True, samesite="Lax", secure=settings.HTTPS
    )
