"""Measure how many rounds tell `strong` from `club`, on the same and on different deals: `python -m bench.separation`.

Both play the person's seat of the same sets. With means and variances of their margins, n rounds tell them apart with
95 % when the mean difference is 1.645 standard errors: on the same deals of the paired differences, else of both sums.
"""

import argparse
from hashlib import sha256
from math import ceil
from statistics import fmean, variance

Z_95 = 1.645


def main() -> None:
    import django

    django.setup()
    from events.programme import WEEK

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=30)
    parser.add_argument("--preset", default="")
    options = parser.parse_args()
    print("game | sets | mean difference | rounds, same deals | rounds, other deals | correlation")
    for game in WEEK:
        if options.preset in ("", game.preset):
            measure(game.preset, game.seats, options.sets)


def measure(preset: str, seats: int, sets: int) -> None:
    from events.services.house import SetPlayer

    strong: list[int] = []
    club: list[int] = []
    for number in range(sets):
        name = f"separation-{preset}-{number}"
        player = SetPlayer(build_set(name, preset, seats), sha256(name.encode()).digest())
        strong += player.play("strong", None, "one")[0]
        club += player.play("club", None, "other")[0]
    paired = [one - other for one, other in zip(strong, club, strict=True)]
    mean = fmean(paired)
    of_both = variance(strong) + variance(club)
    correlation = (of_both - variance(paired)) / (2 * (variance(strong) * variance(club)) ** 0.5)
    same, other = (
        ceil((Z_95 / mean) ** 2 * each) if mean > 0 else None for each in (variance(paired), of_both)
    )
    print(f"{preset} | {sets} | {mean:.1f} | {same} | {other} | {correlation:.2f}", flush=True)


def build_set(name: str, preset: str, seats: int) -> object:
    from events.models import DealSet
    from events.programme import LEVEL, build_rules

    rules = build_rules(preset).as_dict()
    return DealSet(
        name=name, preset=preset, rules=rules, seats=seats, level=LEVEL, figures=list(range(seats))
    )


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
    main()
