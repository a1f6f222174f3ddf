"""Simulate a day of the Daily Deal with many players, and look for leaks in every answer: `python -m bench.daily`.

Each simulated player begins, plays random or greedy moves against the table's computers, and looks at the pages. Before
the close no answer may contain a key of the set, or a tile that the player has not seen in any round so far. After it
the scores are computed again from the records, and every record is verified.
"""

import argparse
import json
import os
import random
import re
import time
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import Any

TILE = re.compile(r"(?<![\w-])(\d{1,2})-(\d{1,2})(?![\w-])")
LOOK_EVERY_MOVES = 50  # of one player


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--preset", default="all-fives")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--level", default="club", help="of the table's computers")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/daily.sqlite3"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
        os.environ.setdefault("CALL_PAUSE_MS", "0")
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command

        settings.ALLOWED_HOSTS = ["testserver"]
        call_command("migrate", verbosity=0)
        simulate(options)


def simulate(options: argparse.Namespace) -> None:
    from events.models import Entry
    from tests.events.playing import close, open_today

    began = time.monotonic()
    deals = open_today(options.preset, options.seats, rounds=8, level=options.level)
    answers = size = 0
    for number in range(options.players):
        for text in play_and_look(deals, number):
            answers, size = answers + 1, size + len(text)
    played = time.monotonic() - began
    close(deals)
    print(f"{options.players} players, {answers} answers, {size / 1e6:.1f} MB without a leak, {played:.0f} s")
    check_scores(deals)
    entries = Entry.objects.filter(deals=deals).count()
    print(
        f"{entries} records verified, scores equal; closed and checked in {time.monotonic() - began - played:.0f} s"
    )


def play_and_look(deals: Any, number: int) -> Iterator[str]:
    """Play as one person; yield what their browser and a stranger's were answered."""
    from django.test import Client

    from accounts.models import User
    from games.models import Match
    from tests.events.playing import play_turn

    user = User.objects.create_user(f"player{number}")
    own, stranger = Client(), Client()
    own.force_login(user)
    code = own.post("/daily/start")["Location"].split("/")[2]
    match = Match.objects.get(code=code)
    chance = random.Random(number)
    secrets = find_secrets(match)
    stops_at = chance.choice([None, None, None, chance.randrange(1, 60)])
    while match.playing and (stops_at is None or match.version < stops_at):
        if match.version % LOOK_EVERY_MOVES == 0:
            yield from look(own, stranger, match, secrets)
        match = play_turn(match, chance)
    yield from look(own, stranger, match, secrets)


def find_secrets(match: Any) -> list[str]:
    from games import repository

    keys = repository.get_value(match).keys
    return [repository.get_sealed_secret(match.deals).secret, *(keys.key(n).hex() for n in range(1, 9))]


def look(own: Any, stranger: Any, match: Any, secrets: list[str]) -> Iterator[str]:
    from tests.events.test_secrecy import unseen_tiles

    # The rules on the page name the tile that leads.
    unseen = set.intersection(*unseen_tiles(match)) - {match.rules["lead_tile"]}
    address = match.get_absolute_url()
    for path in ("", "state.json", "sync", "rounds/1/", "record.json", "replay/", "analysis.json"):
        assert stranger.get(address + path).status_code == 404, path
        text = own.get(address + path).getvalue().decode()
        check(text, secrets, unseen if path != "state.json" else set())
        if path == "state.json":
            check(json.dumps(json.loads(text) | {"rules": None}), secrets, unseen)
        yield text
    for path in (
        "/daily/",
        f"/daily/{match.deals.removeprefix('daily-')}.json",
        "/",
        "/archive/",
        "/fairness/",
    ):
        for browser in (own, stranger):
            text = browser.get(path).getvalue().decode()
            check(text, secrets, set())
            yield text


def check(text: str, secrets: list[str], unseen: set[str]) -> None:
    text = re.sub(r"<i>(\d+-\d+)</i>", r"\1", text)
    assert not any(secret in text for secret in secrets)
    assert not {f"{a}-{b}" for a, b in TILE.findall(text)} & unseen


def check_scores(deals: Any) -> None:
    """Compute every score again from the records alone, in the plain way."""
    from boneyard.engine.verification import verify
    from events.models import Entry
    from games import repository

    margins: dict[int, list[int]] = {}
    entries = list(Entry.objects.filter(deals=deals).select_related("match"))
    for entry in entries:
        record = repository.build_record(entry.match)
        verify(record)
        margins[entry.pk] = list(iter_margins(record))
    for entry in entries:
        percents = []
        for number in range(deals.rounds):
            own = margins[entry.pk]
            if number >= len(own):
                percents.append(0.0)
                continue
            others = [m[number] for pk, m in margins.items() if pk != entry.pk and number < len(m)]
            if others:
                beaten = sum(other < own[number] for other in others)
                ties = sum(other == own[number] for other in others)
                percents.append(100 * (beaten + ties / 2) / len(others))
        assert abs((entry.score or 0.0) - sum(percents) / len(percents)) < 1e-9, entry


def iter_margins(record: dict[str, Any]) -> Iterator[int]:
    """Yield the margins of the rounds that were played to their end."""
    before = [0] * len(record["result"]["scores"])
    for each in record["rounds"]:
        gained = [now - then for now, then in zip(each["scores"], before, strict=True)]
        before = each["scores"]
        if each["end"]["how"] != "stopped":
            yield gained[0] - max(gained[1:])


if __name__ == "__main__":
    main()
