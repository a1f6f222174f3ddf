"""The Python packages of the site and its library, for tests that read all of its code."""

PACKAGES = (
    "accounts",
    "api",
    "boneyard",
    "core",
    "dominoes_site",
    "events",
    "games",
    "live",
    "lobbies",
    "nights",
    "notifications",
    "operators",
    "study",
)
