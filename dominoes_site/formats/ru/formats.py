"""Dates in Russian. Django's own format has the month in the nominative: "26 Ноябрь"."""

MONTH_DAY_FORMAT = "j E"
