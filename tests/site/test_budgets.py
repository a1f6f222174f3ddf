"""One address gets so many costly pages; people at a table have a budget and threads of their own."""

import asyncio

import pytest

from dominoes_site.budgets import BURST, COSTLY_SECONDS, FORMS, Budgets
from dominoes_site.threads import AT_TABLE, COST, RequestThreads
from games.models import Seat
from live import seated
from lobbies.models import Sitting
from tests.events.playing import open_today
from tests.games.playing import begin
from tests.lobbies.tables import make
from tests.site.test_threads import TIMEOUT_SECONDS, SleepingApp

CODE = "0123456789"
PAGE, STATE = f"/games/{CODE}/replay/", f"/games/{CODE}/state.json"
PLACES = ("/games", "/tables")
FORWARDED = (b"x-forwarded-for", b"203.0.113.9")


class Site:
    """An application with budgets whose pages cost `seconds`; `served` are the paths that reached it."""

    def __init__(self, seconds: float | None = COSTLY_SECONDS) -> None:
        self.seconds = seconds
        self.served: list[str] = []
        self.app = Budgets(self._serve)

    async def _serve(self, scope, receive, send) -> None:
        self.served.append(scope["path"])
        if self.seconds is not None:
            scope[COST] = self.seconds
        await send({"type": "http.response.start", "status": 200})

    async def get(self, *given, **more) -> int:
        return (await self.ask(*given, **more))[0]["status"]

    async def ask(
        self, path: str = PAGE, address: str = "203.0.113.7", *headers, method: str = "GET"
    ) -> list[dict]:
        sent: list[dict] = []

        async def send(message) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "client": [address, 1],
            "headers": [*headers],
        }
        await self.app(scope, None, send)
        if sent[0]["status"] == 429:
            assert (b"retry-after", b"1") in sent[0]["headers"]
        return sent

    async def count_served(self, number: int = 200, *given, **more) -> int:
        return [await self.get(*given, **more) for _ in range(number)].count(200)


@pytest.fixture
def clock(monkeypatch):
    """Stand the monotonic clock still; return its reading, which the test moves."""
    now = [1000.0]
    monkeypatch.setattr("dominoes_site.budgets.time.monotonic", lambda: now[0])
    return now


async def test_address_gets_a_burst_and_then_ten_pages_a_second(clock):
    site = Site()
    assert await site.count_served() == BURST == 30
    assert await site.count_served(1, PAGE, "198.51.100.1") == 1, "another address"
    clock[0] += 2
    assert await site.count_served() == 20
    assert len(site.served) == 51, "what is refused takes no thread"


async def test_cheap_pages_take_their_share(clock):
    assert await Site(COSTLY_SECONDS / 4).count_served(200) == 117  # 30 less the last, which must be whole
    assert await Site(0).count_served(200) == 200


async def test_dear_page_and_page_given_up_take_one(clock):
    assert await Site(1.0).count_served() == await Site(None).count_served() == 30


async def test_pages_in_progress_are_paid_in_advance(clock):
    site, go = Site(), asyncio.Event()
    serve = site.app.app

    async def wait(scope, receive, send) -> None:
        await go.wait()
        await serve(scope, receive, send)

    site.app.app = wait
    pages = [asyncio.create_task(site.get()) for _ in range(100)]
    await asyncio.sleep(0)
    go.set()
    assert (await asyncio.gather(*pages)).count(200) == 30


@pytest.fixture
def files(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "static"
    (settings.STATIC_ROOT / "css").mkdir(parents=True)
    for name in ("static/css/base.css", "static/css/base.css.gz", "secret"):
        (tmp_path / name).touch()


@pytest.mark.parametrize(
    "path", ["/static/css/base.css", "/healthz", "/metrics", "/sw.js", "/offline/plan.json"]
)
async def test_files_and_checks_are_free(clock, files, path):
    assert await Site().count_served(100, path) == 100
    assert await Site().count_served(100, path, method="POST") == FORMS


@pytest.mark.parametrize(
    "path",
    [
        "/healthzz",
        "/metrics/x",
        "/static/",
        "/static/none.css",
        "/static/../secret",
        "/static//etc/passwd",
        "/static/css//base.css",
        "/static/css/base.css.gz",
        "/static/css/\0",
        "/static/../daily/",
    ],
)
async def test_pages_that_say_that_nothing_is_there_are_not_free(clock, files, path):
    assert await Site().count_served(100, path) == 30


async def test_forms_have_a_budget_beside_that_of_pages(clock):
    site = Site()
    assert await site.count_served() == 30
    assert await site.count_served(100, method="POST") == FORMS == 60
    clock[0] += 1
    assert await site.count_served(method="PUT") == 10


async def test_what_is_stored_for_later_leaves_half_to_people(clock):
    site = Site()
    assert await site.count_served(100, PAGE, "203.0.113.7", (b"purpose", b"prefetch")) == 15
    assert await site.count_served() == 15


async def test_refused_page_loads_itself_again_and_a_form_does_not(clock):
    site = Site()
    browser = PAGE, "203.0.113.7", (b"accept", b"text/html,*/*;q=0.8")
    await site.count_served(100)
    await site.count_served(100, method="POST")
    page, form = await site.ask(*browser), await site.ask(*browser, method="POST")
    assert (b"refresh", b"1") in page[0]["headers"] and b"<p>Too many requests" in page[1]["body"]
    assert b"refresh" not in dict(form[0]["headers"]) and form[1]["body"].startswith(b"Too many")


async def test_head_counts(clock):
    assert await Site().count_served(method="HEAD") == 30


async def test_network_of_a_customer_has_one_budget(clock):
    site = Site()
    assert [await site.get(PAGE, f"2001:db8:1:2::{n}") for n in range(40)].count(200) == 30


async def test_forwarded_address_counts_behind_a_proxy(clock, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    site = Site()
    assert await site.count_served(40, PAGE, "127.0.0.1", FORWARDED) == 30
    assert await site.get(PAGE, "127.0.0.1", (b"x-forwarded-for", b"203.0.113.1")) == 200


async def test_proxy_that_is_not_trusted_asks_for_everybody(clock):
    assert await Site().count_served(40, PAGE, "127.0.0.1", (b"x-real-ip", b"203.0.113.9")) == 40
    assert await Site().count_served(40, PAGE, "127.0.0.1") == 30
    for address in ("93.184.215.14", "192.168.1.20", "10.0.0.2"):
        assert await Site().count_served(40, PAGE, address, FORWARDED) == 30, "anybody may send this header"


async def test_limits_can_be_lifted(clock, settings):
    settings.LIMITS = False
    assert await Site().count_served(100) == 100


def cookie(key: str) -> tuple[bytes, bytes]:
    return b"cookie", f"a=1; sessionid={key}".encode()


async def test_people_at_a_table_have_a_budget_of_their_own(clock):
    seated.note("alices", CODE)
    site = Site()
    assert await site.count_served() == 30
    assert await site.get(STATE, "203.0.113.7", cookie("strangers")) == 429
    assert await site.count_served(40, STATE, "203.0.113.7", cookie("alices")) == 30
    assert await site.get(PAGE, "203.0.113.7", cookie("alices")) == 429, "the pages of their table alone"
    other = f"/games/{CODE[::-1]}/state.json"
    assert await site.get(other, "203.0.113.7", cookie("alices")) == 429, "not those of another"


async def test_people_at_a_table_have_a_budget_for_their_forms(clock):
    seated.note("alices", CODE)
    site = Site()
    await site.count_served(100, method="POST")
    mine = [
        await site.get(f"{place}/{CODE}/move", "203.0.113.7", cookie("alices"), method="POST")
        for place in PLACES
    ]
    assert mine == [200, 200]
    assert await site.get(f"/games/{CODE}/move", "203.0.113.7", cookie("none"), method="POST") == 429


async def test_club_at_one_address_plays_without_a_refusal(clock):
    """24 people come, begin a match and play ten turns, all within one second."""
    site = Site()

    async def ask(person: int, path: str, method: str = "GET") -> int:
        return await site.get(path, "203.0.113.7", cookie(f"session{person}"), method=method)

    people = range(24)
    answers = [await ask(person, path) for person in people for path in ("/", "/sw.js", "/offline/plan.json")]
    answers += [await ask(person, "/play/", "POST") for person in people]
    for person in people:  # what the view does: test_players_are_known_before_their_first_page
        seated.note(f"session{person}", f"match{person:05}")
    for person in people:
        answers.append(await ask(person, f"/games/match{person:05}/"))
        for _ in range(10):
            answers.append(await ask(person, f"/games/match{person:05}/move", "POST"))
            answers.append(await ask(person, f"/games/match{person:05}/sync"))
    assert set(answers) == {200}


async def test_pages_of_people_at_a_table_do_not_wait_for_other_pages():
    busy = SleepingApp(0)
    app = RequestThreads(busy, 2)
    others = asyncio.Event()

    async def hang(scope, receive, send) -> None:
        if not scope.get(AT_TABLE):
            await others.wait()

    app.others.app = app.moves.app = hang
    strangers = [asyncio.create_task(app({"method": "GET", "path": STATE}, None, None)) for _ in range(9)]
    await asyncio.sleep(0)
    mine = {"method": "GET", "path": STATE, AT_TABLE: True}
    await asyncio.wait_for(app(mine, None, None), TIMEOUT_SECONDS)
    others.set()
    await asyncio.gather(*strangers)


@pytest.mark.parametrize("address", ["/games/{}/", "/games/{}/state.json", "/games/{}/sync"])
@pytest.mark.django_db
def test_players_are_known_by_their_session(alice, bob, charlie, browser_of, address):
    match = begin(alice, bob)
    noted = []
    for person in (alice, charlie):
        browser = browser_of(person)
        browser.get(address.format(match.code))
        noted.append(seated.is_noted(browser.session.session_key, match.code))
    assert noted == [True, False]


@pytest.mark.parametrize("way", ["quick play", "a seat", "the day's deal", "a table of one's own"])
@pytest.mark.django_db
def test_players_are_known_before_their_first_page(bob, browser_of, way):
    browser = browser_of()
    if way == "quick play":
        browser.post("/play/all-fives/", {"seats": "2", "clock": "300+5"})
    elif way == "a seat":
        table = make(bob, private=False)
        browser.post(f"/tables/{table.code}/sit", {"seat": "1"})
    elif way == "the day's deal":
        open_today()
        browser.post("/daily/start", {"sure": "1"})
    else:
        browser.post("/tables/new", {"preset": "all-fives", "seats": "2", "clock": "300+5"})
    user = browser.session["_auth_user_id"]
    seat = Seat.objects.filter(user=user).first()
    code = seat.match.code if seat else Sitting.objects.get(user=user).table.code
    assert seated.is_noted(browser.session.session_key, code)
