"""Whether the site is well, what it counted, and who may know."""

from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import connection
from django.test import Client, override_settings

pytestmark = pytest.mark.django_db


def test_ok_when_the_database_and_the_channel_layer_answer(client: Client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer["Cache-Control"]


def test_the_database_is_named_when_it_does_not_answer(client: Client, monkeypatch):
    def refuse():
        raise OSError("gone")

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"database\n")


def test_the_channel_layer_is_named_when_it_does_not_answer(client: Client, monkeypatch):
    async def refuse(group, message):
        raise ConnectionError("gone")

    monkeypatch.setattr(get_channel_layer(), "group_send", refuse, raising=False)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"channel layer\n")


def test_counters_are_for_this_machine(client: Client):
    client.get("/healthz")
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert b'boneyard_answers_total{status="200",view="healthz"}' in answer.content
    assert b"boneyard_matches_playing 0.0" in answer.content


@pytest.mark.parametrize(
    "stranger", [{"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, {"REMOTE_ADDR": ""}]
)
def test_counters_are_not_for_strangers(client: Client, stranger):
    assert client.get("/metrics", **stranger).status_code == 403


@override_settings(METRICS_TOKEN="brass")
def test_counters_are_for_who_knows_the_token(client: Client):
    stranger: Any = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer brass", **stranger).status_code == 200
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer coral", **stranger).status_code == 403
    assert client.get("/metrics", **stranger).status_code == 403


def test_the_paths_of_people_and_matches_are_not_counted(client: Client):
    client.get("/games/abcdefghij/")
    assert b"abcdefghij" not in client.get("/metrics").content
