"""Somebody at the real server without a browser: cookies, forms and JSON over plain HTTP."""

import json
import re
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Answer:
    def __init__(self, response) -> None:
        self.status: int = response.status
        self.url: str = response.url  # after redirects
        self.text: str = response.read().decode()

    def json(self) -> dict:
        return json.loads(self.text)


class Visitor:
    """Follows redirects, keeps cookies, and sends with every form the token of the page it got last."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._cookies = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))
        self._token = ""

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask(Request(self.url + path, headers=headers))

    def post(self, path: str, accept: str = "text/html", **fields: str | int) -> Answer:
        form = urlencode({"csrfmiddlewaretoken": self._token, **fields}).encode()
        return self._ask(Request(self.url + path, data=form, headers={"Accept": accept}))

    def become_guest(self) -> "Visitor":
        self.get("/")
        assert self.post("/accounts/guest/").status == 200
        self.get("/")  # whose forms carry the new session's token
        return self

    def sign_up(self, name: str, password: str = "ninety-nine bones") -> "Visitor":
        self.get("/accounts/signup/")
        answer = self.post("/accounts/signup/", username=name, password1=password, password2=password)
        assert "/accounts/signup/" not in answer.url, answer.text
        self.get("/")
        return self

    def listen(self, path: str) -> ClientConnection:
        """A socket of this person."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)
        return connect(
            self.url.replace("http", "ws") + path,
            origin=Origin(self.url),
            additional_headers={"Cookie": cookies},
            legacy=True,
        )

    def _ask(self, request: Request) -> Answer:
        try:
            answer = Answer(self._opener.open(request, timeout=20))
        except HTTPError as error:
            answer = Answer(error)
        if token := TOKEN.search(answer.text):
            self._token = token[1]
        return answer
