"""Every address with every odd value answers below 500: in the path, the query, a form, a cookie and a header."""

from urllib.parse import unquote_to_bytes, urlencode

import pytest
from django.contrib.auth import get_user_model
from django.core.handlers.wsgi import get_path_info
from django.test import Client
from django.urls import is_valid_path

from games.models import Match
from tests.addresses import HOLE, routes
from tests.games.playing import begin, legal
from tests.lobbies.tables import make

CODE = "boneyard01"
WAITING = "waiting001"

ODD = {
    "nothing": "",
    "NUL": "\0",
    "NUL inside": "alice\0bob",
    "negative": "-1",
    "above a smallint": "32768",
    "above a bigint": "9223372036854775808",
    "forty digits": "9" * 40,
    "no number": "nan",
    "Arabic digits": "٣٤",
    "the last day": "9999-12-31",
    "a key of a page": "1e308-99999999999999999999",
    "beyond ASCII": "домино 🁫",
    "direction": "\u202egnol\u2066",
    "long": "x" * 3000,
    "deep JSON": "[" * 3000,
    "a JSON object": '{"a": [1, null]}',
    "line breaks": "a\r\nSet-Cookie: b=c",
}
RAW = ["a%00b", "%FF%FE", "%ED%A0%80", "%F0%9F%81%AB", "9" * 40, "x" * 300, "0", ".."]

# What each form takes when it is filled in well, so that an odd value gets past what is asked before it.
# Sent with each of its fields replaced in turn.
FORMS = {
    f"/games/{CODE}/move": {"move": "", "version": "0", "claim": "5"},
    f"/games/{CODE}/absent": {"take": "win"},
    f"/games/{CODE}/continue": {},
    f"/games/{CODE}/say": {"text": "hello"},
    f"/games/{CODE}/report": {"talk": "1", "reason": "spam"},
    f"/games/{CODE}/plan/": {"version": "0", "if": "any", "move": ""},
    "/players/bob/report": {"match": CODE, "reason": "talk", "text": "rude"},
    "/notifications/unsubscribe": {"endpoint": "https://push.example.org/a"},
    "/tables/new": {
        "preset": "all-fives",
        "seats": "2",
        "rated": "",
        "private": "",
        "clock": "300+5",
        "target": "100",
    }
    | {
        "computers": ",",
        "rule-extras": "[]",
        "rule-opening": '""',
        "rule-lone_pips": "{}",
        "rule-hand_size": "7",
    },
    "/tables/new/preview": {
        "preset": "all-fives",
        "seats": "2",
        "clock": "none",
        "rule-extras": "[]",
        "target": "50",
    },
    f"/tables/{WAITING}/sit": {"seat": "1"},
    f"/tables/{WAITING}/leave": {},
    f"/tables/{WAITING}/commit": {"commitment": "a1" * 32},
    f"/tables/{WAITING}/nonce": {"nonce": "a1b2"},
    f"/tables/{CODE}/rematch": {"on": "1"},
    "/play/all-fives/": {"seats": "2", "clock": "300+5", "computer": ""},
    "/play/": {"preset": "all-fives", "seats": "2", "clock": "300+5", "computer": "club"},
    "/accounts/guest/": {"next": "/"},
    "/accounts/login/": {"login": "alice", "password": "alice's bones", "next": "/"},
    "/accounts/signup/": {
        "username": "mara",
        "email": "m@example.org",
        "password1": "x",
        "password2": "x",
        "next": "/",
    },
    "/accounts/password/reset/": {"email": "m@example.org"},
    "/accounts/email/": {"email": "m@example.org", "action_add": "1"},
    "/accounts/reauthenticate/": {"password": "wrong", "next": "/"},
    "/accounts/delete/": {"password": "wrong"},
    "/preferences/": {"theme": "dark", "tiles": "ivory", "pips": "ink", "volume": "70", "language": ""},
    "/language/": {"language": "ru", "next": "/"},
    "/admin/login/": {"username": "alice", "password": "wrong", "next": "/admin/"},
}
# Keys that are sent together, because a form reads each of them whatever the others say.
CHOICES = "preset how result rated"
QUERIES = {
    f"/games/{CODE}/": ["tile", "chosen"],
    f"/games/{CODE}/sync": ["v", "tile", "chosen"],
    f"/games/{CODE}/state.json": [],
    "/fairness/": ["after"],
    "/archive/": ["after", "player", "against", CHOICES, "since", "until"],
    "/players/": ["q"],
    "/players/alice/": ["after", "against", CHOICES, "since", "until"],
    "/leaderboard/muggins/": ["after", "before", "at", "near", "page"],
    "/rules/all-fives/": ["seats"],
    "/tables/new": ["preset", "seats clock target rule-extras computers"],
    "/": ["preset", "seats"],
    "/accounts/login/": ["next"],
    "/admin/games/match/": [
        "q",
        "p",
        "o",
        "status__exact",
        "preset",
        "started_at__year",
        "annulled_at__isempty",
    ],
    "/admin/accounts/user/": ["q", "p", "o", "is_guest__exact"],
    "/admin/games/report/": ["q", "p", "o"],
    "/admin/accounts/user/sharing/": ["q"],
    "/admin/figures/": ["days"],
    "/admin/lobbies/sitegame/add/": ["rules", "rules preset seats"],
    "/admin/login/": ["next"],
}
JSON = {"accept": "application/json"}
# What answers briefly in place of these forms, each of whose fields gets each odd value.
LARGE_FORMS = {"/tables/new": JSON, "/tables/new/preview": {"hx-request": "true"}}
PATH_PARTS = 4  # so that parallel processes share them
COOKIES = ["sessionid", "csrftoken", "django_language", "known"]
LOG_IN = "/accounts/login/"  # which reads all of them


@pytest.fixture
def viewers(alice, bob, settings):
    """Return clients of an anonymous visitor, a player on turn and an administrator, with a match and its table."""
    settings.LIMITS, settings.ACCOUNT_RATE_LIMITS = False, False
    boss = get_user_model().objects.create_superuser("the-boss")
    begin(alice, bob, code=CODE, preset="gomuggins")
    make(bob)
    from lobbies.models import Table

    Table.objects.update(code=WAITING)
    return [Visitor(who) for who in (None, alice, boss)]


class Visitor(Client):
    """A client that keeps cookies and nothing else: no copies of the context of every template, which cost as much as
    the pages themselves."""

    def __init__(self, user=None) -> None:
        super().__init__(raise_request_exception=False)
        self.user = user
        self._own: object = None
        self.stay_logged_in()

    def stay_logged_in(self) -> None:
        """Log in, at first and again where an answer has ended the session."""
        if self.user is not None and (self._own is None or self.cookies.get("sessionid") != self._own):
            self.force_login(self.user)
            self._own = self.cookies["sessionid"]

    def request(self, **request):
        answer = self.handler(self._base_environ(**request))  # type: ignore[attr-defined]
        self.cookies.update(answer.cookies)
        return answer


@pytest.mark.parametrize("part", range(PATH_PARTS))
def test_odd_path_values(viewers, part):
    broken = set()
    for address in list(paths())[part::PATH_PARTS]:
        if address == "/healthz":
            continue  # which answers 503 here, and well so: the test's own transaction keeps it from writing
        client = viewers[2 if address.startswith("/admin") else 1]
        broken |= {f"GET {address}"} if client.get(address).status_code >= 500 else set()
        broken |= {f"POST {address}"} if client.post(address, headers=JSON).status_code >= 500 else set()

    assert not broken


@pytest.mark.parametrize("address", QUERIES)
def test_odd_query_values(viewers, address):
    client, broken = viewers[2 if address.startswith("/admin") else 1], set()
    for names in QUERIES[address]:
        for what, value in ODD.items():
            answer = client.get(f"{address}?{urlencode(dict.fromkeys(names.split(), value))}")
            broken |= {f"{names}: {what}"} if answer.status_code >= 500 else set()

    assert not broken


@pytest.mark.parametrize("address", FORMS)
def test_odd_form_values(viewers, address):
    well = dict(FORMS[address])
    if "move" in well:
        well["move"] = legal(Match.objects.get(code=CODE))[0]
    broken = set()
    for name in well:
        for what, value in ODD.items():
            for client in viewers[:2]:
                client.stay_logged_in()
                # Pages of errors are rendered for one of the two, and large forms by the test below.
                brief = JSON if client.user is None else LARGE_FORMS.get(address, {})
                answer = client.post(address, well | {name: value}, headers=brief)
                broken |= {f"{name}: {what}"} if answer.status_code >= 500 else set()

    assert not broken


@pytest.mark.parametrize("address", LARGE_FORMS)
def test_large_form_shows_odd_values_again(viewers, address):
    for what, value in ODD.items():
        for client in viewers[:2]:
            answer = client.post(address, dict.fromkeys(FORMS[address], value))
            assert answer.status_code < 500, what


@pytest.mark.parametrize(
    "kind",
    [
        "application/x-www-form-urlencoded; charset=klingon",
        "application/x-www-form-urlencoded; charset=rot13",
        "application/x-www-form-urlencoded; charset=utf-16",
        "multipart/form-data; boundary=x; charset=klingon",
        "multipart/form-data; boundary=x; charset=base64",
        "multipart/form-data; boundary=x; charset=utf-7",
        "multipart/form-data",
        "application/json; charset=klingon",
        "nonsense",
    ],
)
def test_odd_content_type(viewers, kind):
    part = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n\xff\xfe\r\n--x--\r\n'
    for body in (b"text=%FF%FE&seat=1", part):
        for address in FORMS:
            answer = viewers[1].generic("POST", address, body, content_type=kind)
            assert answer.status_code < 500, address


@pytest.mark.parametrize("name", COOKIES)
def test_odd_cookie_values(viewers, name):
    client = viewers[0]
    for value in (*ODD.values(), "abcdefgh\0abcdefgh", "ru\0", "a" * 32):
        client.cookies.clear()
        quoted = "".join(f"\\{ord(c):03o}" if ord(c) < 32 or c in '"\\;' else c for c in value)
        cookie = {"cookie": f'{name}="{quoted}"'.encode().decode("latin-1")}
        assert client.get(LOG_IN, headers=cookie).status_code < 500, repr(value)
        assert client.post(LOG_IN, FORMS[LOG_IN], headers=cookie).status_code < 500, repr(value)


@pytest.mark.parametrize(
    "name", ["accept", "accept-language", "referer", "origin", "host", "hx-request", "user-agent"]
)
def test_odd_header_values(viewers, name):
    for value in ODD.values():
        header = value.replace("\r\n", " ").encode().decode("latin-1")
        for client in viewers[:2]:
            for address in (f"/games/{CODE}/", f"/games/{CODE}/sync"):
                assert client.get(address, headers={name: header}).status_code < 500, repr(value)
            assert client.post("/accounts/guest/", headers={name: header}).status_code < 500, repr(value)


def paths():
    """Yield each address of the site with odd values in place of its arguments.

    Of the addresses that no view takes, all of which one page answers, yield only one for each value.
    """
    asked = set()
    for value, address in all_paths():
        if is_taken(address):
            yield address
        elif value not in asked:
            asked.add(value)
            yield address


def is_taken(address: str) -> bool:
    """Return whether a view takes this address."""
    return bool(is_valid_path(get_path_info({"PATH_INFO": unquote_to_bytes(address).decode("latin-1")})))


def all_paths():
    """Yield each odd value with each address that has it in place of its arguments."""
    for route in routes():
        takes = [hole[0] for hole in HOLE.finditer(route)]
        for value in RAW if takes else [""]:
            address = route
            for hole in takes:
                address = address.replace(hole, value, 1)
            yield value, f"/{address}"
