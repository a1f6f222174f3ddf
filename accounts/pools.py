"""The pools in which people are rated: which presets play in one is the games' business (a test compares)."""

from django.utils.translation import gettext_lazy as _

POOLS = [
    ("muggins", _("Muggins and All Fives")),
    ("draw", _("Draw")),
    ("block", _("Block")),
    ("fives-and-threes", _("Fives and Threes")),
    ("sebastopol", _("Sebastopol")),
    ("latin", _("Latin American pairs")),
    ("cuban", _("Cuban double-nine")),
    ("jamaican", _("Jamaican")),
    ("kozel", _("Kozel (the Goat)")),
    ("five-up", _("Five-Up")),
    ("bergen", _("Bergen")),
]
