"""The session of each request is read by a statement whose SQL is made once: it is found as Django finds it."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.sessions import SessionStore

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept() -> SessionStore:
    session = SessionStore()
    session["colour"] = "ebony"
    session.save()
    return session


def test_a_session_is_found_by_its_key_in_one_statement(kept):
    with CaptureQueriesContext(connection) as asked:
        assert SessionStore(session_key=kept.session_key)["colour"] == "ebony"
    assert len(asked) == 1


def test_a_session_that_has_lapsed_is_nobodys_and_its_key_is_not_used_again(kept):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    found = SessionStore(session_key=kept.session_key)
    assert found.get("colour") is None
    found["colour"] = "bone"
    found.save()
    assert found.session_key != kept.session_key


@pytest.mark.parametrize("key", ["0" * 32, "nothing", "it's"])
def test_of_a_key_that_nobody_was_given_there_is_no_session(kept, key):
    found = SessionStore(session_key=key)
    assert found.get("colour") is None
    assert found.session_key is None


def test_what_was_written_is_read_anew(kept):
    other = SessionStore(session_key=kept.session_key)
    assert other["colour"] == "ebony"
    kept["colour"] = "bone"
    kept.save()
    assert SessionStore(session_key=kept.session_key)["colour"] == "bone"
