"""manage.py demo: people, matches and tables to look at."""

import io
from itertools import combinations, islice

import pytest
from django.core.management import call_command

from accounts.models import RatingChange, User
from dominoes_site.management.commands import demo
from lobbies.models import Table

pytestmark = pytest.mark.django_db


def test_no_rating_is_capped_as_those_of_the_young_are(monkeypatch, settings):
    settings.LIMITS = True
    monkeypatch.setattr(demo, "combinations", lambda people, n: islice(combinations(people, n), 1))
    monkeypatch.setattr(demo, "RUNNING", demo.RUNNING[:1])
    out = io.StringIO()

    call_command("demo", stdout=out)

    assert out.getvalue().splitlines()[0] == "1 of 1 matches played"
    assert RatingChange.objects.exists() and not RatingChange.objects.filter(young=True).exists()
    assert Table.objects.exists()


def test_in_a_file_it_tells_now_and_then_a_line_and_the_last():
    out = io.StringIO()
    command = demo.Command(stdout=out)
    for played in range(1, 24):
        command._tell(played, 23)
    assert out.getvalue().splitlines() == [f"{played} of 23 matches played" for played in (10, 20, 23)]


def test_a_second_time_changes_nothing():
    User.objects.create_user(demo.NAMES[0])
    out = io.StringIO()
    call_command("demo", stdout=out)
    assert out.getvalue() == "The demonstration is there already.\n"
