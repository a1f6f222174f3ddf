"""Record the presence of players whose browsers have no scripts."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from core.database import WRITE_ERRORS
from core.http import read_once
from games.seats import find_running_seats
from games.services import connections

Handler = Callable[[HttpRequest], HttpResponse]


def page_presence(get_response: Handler) -> Handler:
    """Record each page load and form post as a sign of presence at the user's running matches."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.user.is_authenticated and _is_page_or_form(request, response):
            try:
                connections.record_page(read_once(request, find_running_seats))
            except WRITE_ERRORS:
                pass  # a busy database must not refuse a page
        return response

    return middleware


def _is_page_or_form(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether this is a page of the site's own layout or one of its forms; no fragment, file or admin page."""
    if "HX-Request" in request.headers or request.path.startswith("/admin/"):
        return False
    return request.method == "POST" or response.headers.get("Content-Type", "").startswith("text/html")
