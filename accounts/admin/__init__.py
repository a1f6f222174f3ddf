"""Admin of people, sanctions and ratings."""

from accounts.admin import login, people, ratings, sanctions

__all__ = ["login", "people", "ratings", "sanctions"]
