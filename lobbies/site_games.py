"""Find the games of this site by their rules; export and import them."""

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from lobbies.models import SiteGame

TTL_SECONDS = 2.0
FORMAT = "boneyard-site-games/1"
FIELDS = ("slug", "title", "about", "preset", "seats", "rules", "offered")

# Cache: key rules and seats; bound by the number of rows, which only staff add; invalidated after TTL_SECONDS.
_games: dict[tuple[Rules, int], SiteGame] = {}
_valid_until = 0.0


def cache(games: Mapping[tuple[Rules, int], SiteGame], ttl_seconds: float = TTL_SECONDS) -> None:
    """Use these games for `ttl_seconds`."""
    global _games, _valid_until
    _games, _valid_until = dict(games), time.monotonic() + ttl_seconds


def load_games() -> dict[tuple[Rules, int], SiteGame]:
    """Return the games by rules and seats, at most `TTL_SECONDS` old."""
    if time.monotonic() >= _valid_until:
        games = [(row, find_fault(row)) for row in SiteGame.objects.all()]
        cache({(Rules.from_dict(row.rules), row.seats): row for row, fault in games if not fault})
    return _games


def find_fault(game: SiteGame) -> str:
    """Return what this release does not know of the game, "" for one that can be played."""
    try:
        check(game.preset, game.seats, game.rules)
    except InvalidRules as fault:
        return str(fault)
    except ValueError:
        return ""  # the rules of a preset of this release
    except TypeError as error:
        return f"rules: {error}"
    return ""


def find_broken_rows() -> Iterator[str]:
    """Yield the games that this release cannot offer, with what it does not know of them."""
    for game in SiteGame.objects.all():
        if fault := find_fault(game):
            yield f"site game {game.slug}: {fault}"


def find_title(rules: Rules, seats: int) -> str:
    """Return the title of the site's game with these rules in the active language, or ""."""
    games = load_games()
    return str(games[rules, seats]) if (rules, seats) in games else ""


def find_offered() -> list[SiteGame]:
    return [game for game in load_games().values() if game.offered]


class SameRules(ValueError):
    """Two games with the same rules and seats: a match could have the name of one of them only."""

    def __init__(self, game: SiteGame) -> None:
        super().__init__(game.slug)
        self.game = game


def check(preset: str, seats: int, rules: Any, slug: str = "") -> Rules:
    """Return the rules of a game of this site, of that at the address `slug`.

    Raise `InvalidRules`, `ValueError` if they are a preset's own, or `SameRules` if another game has them.
    """
    if preset not in PRESETS:
        raise InvalidRules("preset", "invalid_value", value=preset[:40])
    checked = Rules.from_dict(rules)
    if seats not in checked.players:
        raise InvalidRules("players", "invalid_value", value=seats)
    if PRESETS[preset].is_offered_with(checked):
        raise ValueError(preset)
    for game in SiteGame.objects.exclude(slug=slug).filter(seats=seats):
        if _has_rules(game, checked):
            raise SameRules(game)
    return checked


def _has_rules(game: SiteGame, rules: Rules) -> bool:
    try:
        return Rules.from_dict(game.rules) == rules
    except InvalidRules:  # of a game that this release does not know
        return False


def change_rules(game: SiteGame, preset: str, seats: int, rules: Rules) -> None:
    """Give a game other rules; matches of the old ones lose its name. Raise as `check` does."""
    game.rules = check(preset, seats, rules.as_dict(), game.slug).written()
    game.preset, game.seats = preset, seats
    game.save(update_fields=["preset", "seats", "rules"])


def export_games(games: list[SiteGame]) -> str:
    """Return the games as JSON."""
    rows = [{name: getattr(game, name) for name in FIELDS} for game in games]
    return json.dumps({"format": FORMAT, "games": rows}, ensure_ascii=False, indent=1)


def import_games(text: str) -> list[SiteGame]:
    """Return unsaved games, new or with the changes of the JSON. Raise as `check` does, or `ValueError`."""
    data = json.loads(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("games"), list):
        raise ValueError(FORMAT)
    games: list[SiteGame] = []
    for values in data["games"]:
        if not isinstance(values, dict):
            raise ValueError(FORMAT)
        game = SiteGame.objects.filter(slug=str(values.get("slug", ""))).first() or SiteGame()
        for name in FIELDS:
            if name in values:
                setattr(game, name, values[name])
        if not (_is_texts(game.title) and _is_texts(game.about) and isinstance(game.seats, int)):
            raise ValueError(FORMAT)
        rules = check(str(game.preset), game.seats, game.rules, str(game.slug))
        if same := [each for each in games if each.seats == game.seats and _has_rules(each, rules)]:
            raise SameRules(same[0])
        game.rules = rules.written()
        game.full_clean(validate_unique=False)
        games.append(game)
    return games


def _is_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
