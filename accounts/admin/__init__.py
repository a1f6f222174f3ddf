"""The operators' view of people: banning with a reason, muting for a time, ratings to look at."""

from accounts.admin import login, people, ratings, sanctions

__all__ = ["login", "people", "ratings", "sanctions"]
