"""Every preset played to its end against computers: some by the page's buttons, all over HTTP and a socket."""

import re
from contextlib import suppress
from random import Random

import pytest
from playwright.sync_api import Page, expect
from websockets.sync.client import ClientConnection

from boneyard.engine.presets import PRESETS
from boneyard.engine.shuffle import commitment_to
from boneyard.engine.verification import verify
from tests.browser.playing import match_code, play_to_the_end
from tests.browser.tables import MATCH_SECONDS, TABLE, open_ended_match, open_table
from tests.http_client import HttpClient
from tests.server import Site
from tests.waiting import TIMEOUT_SECONDS, attempts, until

# Seats, and a low target for a match of about one round; all other rules are the preset's.
TABLES = {
    "all-fives": (2, 10),
    "draw": (3, 5),
    "block": (4, 5),
    "gomuggins": (2, 60),
    "muggins-200": (2, 5),
    "muggins-200-pairs": (4, 5),
    "muggins-exact-61": (2, 1),
    "muggins-scoring-lead": (3, 2),
    "muggins-61": (3, 6),
    "block-doublet": (2, 2),
    "draw-free": (2, 5),
    "fives-and-threes": (2, 5),
    "fives-and-threes-pairs": (4, 2),
    "fives-and-threes-league": (2, 6),
    "sebastopol": (4, 3),
    "dominican": (4, 5),
    "puerto-rico-500": (4, 5),
    "puerto-rico-200": (4, 5),
    "pairs-international": (4, 5),
    "pairs-spain": (4, 5),
    "venezuelan": (4, 5),
    "cuban": (4, 5),
    "brazilian-pairs": (4, 1),
    "jamaican-partner": (4, 1),
    "jamaican-cutthroat": (2, 1),
    "six-love-partner": (4, 1),
    "six-love-cutthroat": (3, 1),
    "kozel": (2, 13),
    "kozel-pairs": (4, 13),
    "sea-kozel": (4, 25),
    "gaple": (4, 5),
    "latin-individual": (3, 5),
    "bones": (2, 20),
    "bones-pairs": (4, 20),
    "big-six": (2, 10),
    "five-up": (2, 4),
    "five-up-pairs": (4, 5),
    "merry-go-round": (2, 2),
    "bergen": (2, 3),
    "sebastopol-singles": (4, 10),
    "muggins-exact-61-pairs": (4, 1),
    "muggins-scoring-lead-pairs": (4, 1),
    "block-doublet-pairs": (4, 2),
    "draw-free-pairs": (4, 3),
    "muggins-61-pairs": (4, 5),
}
# With a spinner, with calls, with several tiles a turn, in pairs.
PLAYED_BY_BUTTONS = {"all-fives": 10, "muggins-200": 5, "gomuggins": 15, "fives-and-threes-pairs": 2}
NEWS_SECONDS = 1.0  # then the state is asked for again
VERSION = re.compile(r'data-version=\\?"(\d+)')


def fields_of(preset: str, target: int) -> dict[str, str]:
    """Return the fields of a private table of this preset, against computers."""
    seats, _ = TABLES[preset]
    computers = ",".join(["", *["beginner"] * (seats - 1)])
    return {
        "preset": preset,
        "seats": str(seats),
        "target": str(target),
        "computers": computers,
        "clock": "1800+20",
        "private": "on",
    }


# One of each kind of result: points that are bad, three for themselves, pairs, tricks of their own.
ENDS_LOOKED_AT = ("kozel", "draw", "bones-pairs", "jamaican-partner", "bergen", "sebastopol", "cuban")


def test_end_of_each_kind_of_game_is_visible(open_page):
    page: Page = open_page(guest=True)
    for preset in ENDS_LOOKED_AT:
        seats, target = TABLES[preset]
        others = ["patient-paul", "patient-petra", "patient-pia"][: seats - 1]
        open_ended_match(page, others=others, preset=preset, target=str(target))
        expect(page.locator("#over")).to_be_visible()
        expect(page.locator("#over").get_by_role("button", name="Rematch")).to_be_visible()


def test_every_preset_is_played():
    assert set(TABLES) == set(PRESETS)


@pytest.mark.parametrize("preset", PLAYED_BY_BUTTONS)
def test_preset_played_by_buttons(open_page, preset):
    page: Page = open_page(guest=True)
    page.goto(open_table(page, **fields_of(preset, PLAYED_BY_BUTTONS[preset])))
    match_code(page)

    end = play_to_the_end(page, seed=TABLES[preset][0])

    assert end["result"]["how"] in ("target", "rounds")


class Player:
    """A guest who plays with requests and has the socket of the match's page open."""

    def __init__(self, site: Site, preset: str) -> None:
        self.client = HttpClient(site.url).become_guest()
        table = self.client.post("/tables/new", **fields_of(preset, TABLES[preset][1]))
        self.code = TABLE.search(table.url)[1]
        nonce = "0123456789abcdef"
        self.client.post(f"/tables/{self.code}/commit", commitment=commitment_to(nonce))
        self.client.post(f"/tables/{self.code}/nonce", nonce=nonce)
        self.client.get(f"/games/{self.code}/")
        self.socket: ClientConnection = self.client.open_socket(f"/ws/games/{self.code}/")
        self.shown = -1  # the version of the last frame
        self.frame = ""
        self.continued = 0  # the round of which the pause was ended

    def state(self) -> dict:
        return self.client.get(f"/games/{self.code}/state.json").json()

    def receive_until(self, version: int) -> None:
        """Receive frames until one shows this version or a later one."""
        for _ in attempts(f"version {version} in a frame"):
            if self.shown >= version:
                break
            self.receive(TIMEOUT_SECONDS)

    def receive(self, seconds: float) -> None:
        """Receive the next frame; versions never go back."""
        frame = str(self.socket.recv(timeout=seconds))
        if found := VERSION.search(frame):
            assert int(found[1]) >= self.shown
            self.shown, self.frame = int(found[1]), frame

    def act(self, now: dict, chance: Random) -> None:
        """Play a random legal move on the own turn, else end the pause after a round, else wait for news."""
        if now["legal"]:
            several = [move for move in now["legal"] if "+" in move]
            self._play(chance.choice(several or now["legal"]), now)
        elif not now["layout"] and now["last_round"] and self.continued < now["round"]:
            self.continued = now["round"]
            assert self.client.post(f"/games/{self.code}/continue").status == 200
        else:
            with suppress(TimeoutError):
                self.receive(NEWS_SECONDS)

    def _play(self, move: str, now: dict) -> None:
        if now["wait_until"]:
            until(lambda: not self.state()["wait_until"], "the end of the pause for calls")
        answer = self.client.post(
            f"/games/{self.code}/move", accept="application/json", move=move, version=now["version"]
        )
        # At a called table a computer may have called meanwhile.
        assert answer.status == 200 or (answer.status == 409 and now["rules"]["claims"] == "muggins"), (
            answer.text
        )
        if answer.status == 200:
            self.receive_until(answer.json()["version"])


@pytest.mark.parametrize("preset", TABLES)
def test_preset_played_over_http_and_socket(site: Site, preset: str):
    logged_before = len(site.log_text)
    player, chance = Player(site, preset), Random(5)
    for _ in attempts("the end of the match", seconds=MATCH_SECONDS):
        now = player.state()
        player.receive_until(now["version"])
        if now["status"] == "finished":
            break
        player.act(now, chance)
    assert now["result"]["how"] in ("target", "rounds")
    assert 'id="over"' in player.frame.replace('\\"', '"')
    player.socket.close()
    page = player.client.get(f"/games/{player.code}/").text
    assert 'id="over"' in page
    assert "Rematch" in page
    record = player.client.get(f"/games/{player.code}/record.json").json()
    assert record["preset"] is None or record["preset"] == preset
    assert verify(record).result.how == now["result"]["how"]
    assert "Traceback" not in site.log_text[logged_before:]
