"""Admin of people, sanctions and ratings."""

from accounts.admin import groups, login, people, ratings, sanctions

__all__ = ["groups", "login", "people", "ratings", "sanctions"]
