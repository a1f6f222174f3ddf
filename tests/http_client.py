"""An HTTP client for tests with a real server: cookies, forms and JSON."""

import json
import re
import socket
from collections.abc import Mapping
from email.message import Message
from http.client import HTTPConnection
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

LIGHT_PAGE = "/rules/"  # with the CSRF token of the session
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Response:
    def __init__(self, response) -> None:
        self.status: int = response.status
        self.url: str = response.url  # after redirects
        self.headers: Message = response.headers
        self.text: str = response.read().decode()

    def json(self) -> dict:
        return json.loads(self.text)


class HttpClient:
    """A client that follows redirects, keeps cookies, and sends the CSRF token of the last page with each form."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))
        self._token = ""

    def get(self, path: str, **headers: str) -> Response:
        return self._send(Request(self.url + path, headers=headers))

    def post(self, path: str, accept: str = "text/html", **fields: str | int) -> Response:
        return self._send(Request(self.url + path, data=self._encode(fields), headers={"Accept": accept}))

    def begin_post(self, path: str, accept: str = "text/html", **fields: str | int) -> HTTPConnection:
        """Send a form without waiting for the response, which the caller reads from the connection."""
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=60)
        form_type = "application/x-www-form-urlencoded"
        headers = {"Accept": accept, "Content-Type": form_type, "Cookie": self._cookie_header}
        connection.request("POST", path, self._encode(fields), headers)
        return connection

    def _encode(self, fields: Mapping[str, str | int]) -> bytes:
        return urlencode({"csrfmiddlewaretoken": self._token, **fields}).encode()

    @property
    def _cookie_header(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)

    def become_guest(self) -> "HttpClient":
        self.get(LIGHT_PAGE)
        answer = self.post("/accounts/guest/", next=LIGHT_PAGE)
        assert (answer.status, answer.url) == (200, self.url + LIGHT_PAGE)
        return self

    def sign_up(self, name: str, password: str = "ninety-nine bones") -> "HttpClient":
        self.get("/accounts/signup/")
        response = self.post("/accounts/signup/", username=name, password1=password, password2=password)
        assert "/accounts/signup/" not in response.url, response.text
        return self

    def open_socket(
        self, path: str, compression: str | None = "deflate", connection: socket.socket | None = None
    ) -> ClientConnection:
        """Open a WebSocket with this client's cookies, over `connection` if given; offer compression, as browsers."""
        return connect(
            self.url.replace("http", "ws") + path,
            origin=Origin(self.url),
            additional_headers={"Cookie": self._cookie_header},
            compression=compression,
            sock=connection,
            legacy=True,
        )

    def _send(self, request: Request) -> Response:
        try:
            response = Response(self._opener.open(request, timeout=20))
        except HTTPError as error:
            response = Response(error)
        if token := TOKEN.search(response.text):
            self._token = token[1]
        return response
