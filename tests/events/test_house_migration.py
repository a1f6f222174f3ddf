"""The house of earlier releases: twenty results, five of them second ones of a computer."""

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from boneyard.engine.records import LEVELS
from events.models import Entry, HouseResult
from tests.events.playing import open_today, start

pytestmark = pytest.mark.django_db
migration = import_module("events.migrations.0003_house_once")
EDITOR = SimpleNamespace(connection=connection)


def test_each_computer_keeps_its_first_result_and_the_way_back_its_number():
    deals = open_today(rounds=1)
    for number in range(20):
        figures = {"level": LEVELS[number // 4], "figure": number % 3}
        HouseResult.objects.create(deals=deals, number=number, margins=[number], lines=[""], **figures)

    migration.renumber(apps, EDITOR)

    rows = list(HouseResult.objects.order_by("number").values_list("number", "level", "figure", "margins"))
    assert [row[:3] for row in rows] == [(n, LEVELS[n // 3], n % 3) for n in range(15)]
    assert [margin for *_, (margin,) in rows] == [0, 1, 2, 6, 4, 5, 9, 10, 8, 12, 13, 14, 18, 16, 17]

    migration.renumber_back(apps, EDITOR)
    for row in HouseResult.objects.all():
        assert (row.level, row.figure) == (LEVELS[row.number // 4], row.number % 3)
        assert row.margins == [row.number]


def test_accounts_of_a_day_count_from_now_on(alice, bob):
    deals = open_today()
    for person, age in ((alice, timedelta(hours=25)), (bob, timedelta(hours=23))):
        match = start(deals, person)
        entry = Entry.objects.get(match=match)
        type(person).objects.filter(pk=person.pk).update(date_joined=entry.started_at - age)
    Entry.objects.update(standing="new")

    migration.rename_standings(apps, EDITOR)

    assert [entry.standing for entry in Entry.objects.order_by("pk")] == ["few", "new"]
