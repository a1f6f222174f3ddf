"""What the admin's lists may be asked: what their filters offer, of the fields that they show, and nothing else."""

import json
import re
from html import unescape
from itertools import product

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import connection
from django.http import QueryDict
from django.test import RequestFactory
from django.urls import reverse

from accounts import moderators
from games.models import SealedSecret
from tests.games.playing import begin, play, secret_of
from tests.lobbies.tables import make

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
EMPTY_OR_EQUAL = ("__exact", "__isnull", "__isempty")  # of a filter's field, they tell what its links tell
DEPTH = 3  # relations that a lookup may cross


@pytest.fixture
def boss(db):
    return get_user_model().objects.create_superuser("the-boss", email="boss@example.org")


@pytest.fixture
def moderator(db):
    person = get_user_model().objects.create_user("olga", is_staff=True)
    person.groups.add(Group.objects.get(name=moderators.NAME))
    return person


def paths(model, depth=DEPTH, seen=()):
    """Yield every lookup path from a model to a field, across relations in both directions."""
    for field in model._meta.get_fields(include_hidden=True):
        lookups = ["", *(getattr(field, "get_lookups", dict)())]
        yield from (f"{field.name}__{lookup}".removesuffix("__") for lookup in lookups)
        other = field.related_model
        if depth > 1 and other and other not in seen and isinstance(other, type):
            yield from (f"{field.name}__{path}" for path in paths(other, depth - 1, (*seen, model)))


def offered(model_admin, request):
    """Return the lookups of the list's filter links."""
    listing = ChangeList(
        request,
        model_admin.model,
        model_admin.get_list_display(request),
        None,
        model_admin.get_list_filter(request),
        model_admin.date_hierarchy,
        (),
        model_admin.list_select_related,
        100,
        200,
        (),
        model_admin,
        model_admin.sortable_by,
        "",
    )
    asked = {parameter for spec in listing.filter_specs for parameter in spec.expected_parameters()}
    return asked | {f"{model_admin.date_hierarchy}__{part}" for part in ("year", "month", "day")}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_unneeded_lookups_are_refused(model, alice, bob, boss):
    begin(alice, bob)
    make(alice)
    request = RequestFactory().get("/")
    request.user = boss
    model_admin = admin.site._registry[model]

    taken = {path for path in paths(model) if model_admin.lookup_allowed(path, "4", request)}

    needed = offered(model_admin, request)
    equals = {
        path.removesuffix("__exact").removesuffix("__isnull").removesuffix("__isempty") for path in needed
    }
    assert taken <= needed | {f"{field}{asked}" for field in equals for asked in ("", *EMPTY_OR_EQUAL)}


@pytest.mark.parametrize(
    ("listing", "asked"),
    [
        *product(["games_match", "lobbies_table"], ["secret__startswith", "seal__startswith", "code__regex"]),
        ("accounts_user", "email__startswith"),
        ("accounts_user", "password__startswith"),
        ("accounts_rating", "user__email__startswith"),
        ("games_talk", "user__password__startswith"),
        ("mfa_authenticator", "data__contains"),
    ],
)
def test_refused_lookup_reveals_nothing(boss, browser_of, listing, asked):
    page = browser_of(boss).get(reverse(f"admin:{listing}_changelist"), {asked: "4"})

    assert page.status_code == 400


@pytest.mark.parametrize("who", ["boss", "moderator"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_filter_and_date_links_work(model, who, alice, bob, browser_of, request):
    begin(alice, bob)
    for preset in ("draw", "all-fives"):
        make(alice, preset)
    person = request.getfixturevalue(who)
    listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    browser = browser_of(person)
    page = browser.get(listing)

    assert page.status_code == 200 or (who == "moderator" and page.status_code == 403)
    links = first_and_last(unescape(link) for link in re.findall(r'href="(\?[^"]*)"', page.content.decode()))
    assert links or page.status_code == 403 or not admin.site._registry[model].list_filter
    assert {link: browser.get(listing + link).status_code for link in links} == dict.fromkeys(links, 200)


def first_and_last(links):
    """Return the first and the last link of each filter: they differ in the value, which the model's field takes."""
    by_filter: dict[frozenset[str], list[str]] = {}
    for link in links:
        by_filter.setdefault(frozenset(QueryDict(link.removeprefix("?"))), []).append(link)
    return {link for same in by_filter.values() for link in (same[0], same[-1])}


def test_match_filters_work(alice, bob, boss, browser_of):
    match = play(begin(alice, bob))
    matches = reverse("admin:games_match_changelist")

    def found(**asked):
        return browser_of(boss).get(matches, asked).context["cl"].result_count

    assert found(preset=match.preset) == 1
    assert found(preset="block") == found(result_how="resignation") == 0


def test_moderator_cannot_search_by_email(alice, moderator, boss, browser_of):
    alice.email = "alice@example.org"
    alice.save()
    people = reverse("admin:accounts_user_changelist")

    found = {
        who: browser_of(who).get(people, {"q": "alice@example.org"}).context["cl"].result_count
        for who in (moderator, boss)
    }

    assert found == {moderator: 0, boss: 1}


def test_secrets_are_not_in_admin(db):
    assert SealedSecret not in admin.site._registry
    assert not [field for field in SealedSecret._meta.get_fields(include_hidden=True) if field.is_relation]


def test_running_secret_is_in_one_table_only(alice, bob):
    begin(alice, bob)
    match = play(begin(alice, bob, seed="another"))
    make(alice)
    secret = secret_of(match.code)

    holders = set()
    for model in apps.get_models(include_auto_created=True):
        columns = ", ".join(connection.ops.quote_name(field.column) for field in model._meta.concrete_fields)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {columns} FROM {connection.ops.quote_name(model._meta.db_table)}")
            if secret in json.dumps(cursor.fetchall(), default=str):
                holders.add(model)

    assert holders == {SealedSecret}


def test_second_factor_secrets_are_not_shown(alice, boss, browser_of):
    factor = TOTP.activate(alice, "JBSWY3DPEHPK3PXP").instance
    for address in (
        reverse("admin:mfa_authenticator_changelist"),
        reverse("admin:mfa_authenticator_change", args=[factor.pk]),
    ):
        page = browser_of(boss).get(address)
        assert page.status_code == 200
        assert str(factor.data["secret"]) not in page.content.decode()
