"""The tiles that a person may choose to stand beside their name."""

from django.utils.translation import pgettext_lazy

TILES = {f"{high}-{low}": (high, low) for high in range(7) for low in range(high + 1)}
AVATARS = [
    ("", pgettext_lazy("a tile beside the name", "the one my name gives")),
    *((name, name) for name in TILES),
]
