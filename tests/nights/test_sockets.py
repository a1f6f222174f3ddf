"""Who may open which socket of a night, and the command that repeats its draws."""

import json

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command

from nights.consumers import NightConsumer
from nights.fragments import FRAGMENTS, build_state
from tests.nights.conftest import address, press

pytestmark = pytest.mark.django_db


def may_open(night, view, user, secret=""):
    consumer = NightConsumer()
    consumer.scope = {
        "url_route": {"kwargs": {"code": night.code, "view": view, "secret": secret}},
        "user": user,
    }
    return consumer.authorize()


def test_desk_is_the_directors_and_own_pages_take_their_link(evening, host, alice):
    secret = evening.entries.get(number=1).secret
    for user in (AnonymousUser(), alice):
        assert [view for view in FRAGMENTS if may_open(evening, view, user)] == ["night", "wall"]
        assert not may_open(evening, "me", user, "wrong")
        assert may_open(evening, "me", user, secret)
        assert not may_open(evening, "nothing", user)
    assert may_open(evening, "desk", host)


def test_state_of_each_view_has_the_same_fragments_before_and_after_a_draw(evening, desk):
    entry = evening.entries.get(number=1)
    before = {view: list(build_state(evening, view, entry=entry).fragments) for view in FRAGMENTS}
    press(desk, evening, "draw")
    evening.refresh_from_db()
    assert {view: list(build_state(evening, view, entry=entry).fragments) for view in FRAGMENTS} == before


def test_saved_draws_repeat_and_a_changed_one_is_found(client, desk, evening, tmp_path, capsys):
    press(desk, evening, "draw")
    press(desk, evening, "undo")
    press(desk, evening, "draw")
    record = client.get(address(evening, "draws.json")).json()
    file = tmp_path / "draws.json"
    file.write_text(json.dumps(record))
    call_command("verify_draws", str(file))
    assert "2 draws repeat as recorded." in capsys.readouterr().out
    first, second = record["draws"][1]["tables"]
    first["sides"][0], second["sides"][0] = second["sides"][0], first["sides"][0]
    file.write_text(json.dumps(record))
    with pytest.raises(CommandError, match="tables differ"):
        call_command("verify_draws", str(file))
    file.write_text("{}")
    with pytest.raises(CommandError, match="not the record"):
        call_command("verify_draws", str(file))
