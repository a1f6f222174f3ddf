"""The Python packages of the site, for tests that read all of its code."""

PACKAGES = (
    "accounts",
    "core",
    "dominoes_site",
    "events",
    "games",
    "live",
    "lobbies",
    "notifications",
    "operators",
    "study",
)
