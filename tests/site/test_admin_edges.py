"""Every list of the admin with every filter at its edges: it answers, and never with a fault of the server."""

from itertools import product
from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.contrib.admin import SimpleListFilter
from django.urls import reverse

from tests.games.playing import begin
from tests.lobbies.tables import make

pytestmark = pytest.mark.django_db
VALUES = ("", "0", "99999999", "9" * 40, "٣", "\0", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00")
YEARS = ("0000", "0001", "1", "1969", "2026", "9998", "9999", "10000")
DATES = [
    *({"year": year} for year in YEARS),
    *(
        {"year": year, "month": month}
        for year, month in product(("0001", "9998", "9999"), ("0", "1", "12", "13"))
    ),
    *({"year": year, "month": "12", "day": "31"} for year in ("0001", "9998", "9999")),
    {"year": "2026", "month": "2", "day": "30"},
    {"year": "2026", "day": "31"},
    {"month": "2"},
    {"day": "31"},
    {"month": "12", "day": "31"},
]
PAGES = [{"p": page} for page in ("0", "-1", "2", "99999999999999999999", "x")]
PAGES += [{"o": order} for order in ("1", "-1.2", "99.99", "x")] + [{"all": ""}, {"q": "\0"}, {"e": "1"}]


def list_queries(model_admin, request):
    """Return the queries of every filter of the list, of its pages, and of its dates."""
    queries = list(PAGES)
    for entry in model_admin.list_filter:
        if isinstance(entry, type) and issubclass(entry, SimpleListFilter):
            queries += [{entry.parameter_name: value} for value in VALUES]
            continue
        field = entry[0] if isinstance(entry, tuple) else entry
        lookups = [f"{field}{suffix}" for suffix in ("", "__exact", "__isnull", "__isempty")]
        allowed = [lookup for lookup in lookups if model_admin.lookup_allowed(lookup, "", request)]
        queries += [{lookup: value} for lookup, value in product(allowed, VALUES)]
    if model_admin.date_hierarchy:
        queries += [{f"{model_admin.date_hierarchy}__{part}": date[part] for part in date} for date in DATES]
    return queries


@pytest.fixture
def browser(alice, bob, boss, browser_of):
    """Return a superuser's browser, on a site that has rows with dates: a match, a table, and what staff did."""
    match = begin(alice, bob)
    make(alice)
    browser = browser_of(boss)
    browser.post(f"/admin/games/report/person/{bob.pk}/", {"note": "to be watched"})
    browser.post("/admin/games/match/", {"action": "verify", "_selected_action": [match.pk]})
    browser.raise_request_exception = False
    return browser


def test_every_list_answers_to_every_filter_at_its_edges(browser, rf):
    answers = {}
    for model, model_admin in admin.site._registry.items():
        listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for query in list_queries(model_admin, rf.get("/")):
            address = f"{listing}?{urlencode(query)}"
            answers[address] = browser.get(address).status_code

    assert len(answers) > len(admin.site._registry) * len(PAGES)
    assert {address: status for address, status in answers.items() if status not in (200, 302, 400)} == {}


def test_export_of_the_log_answers_to_every_date(browser):
    queries = [urlencode({f"action_time__{part}": date[part] for part in date}) for date in DATES]
    queries += [urlencode(query) for query in PAGES]

    answers = {query: browser.get(f"/admin/admin/logentry/export/?{query}").status_code for query in queries}

    assert {query: status for query, status in answers.items() if status not in (200, 302, 400)} == {}
    assert answers["action_time__year=9998"] == 200
    assert answers["action_time__year=9999"] == 400
