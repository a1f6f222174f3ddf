"""Names: ASCII, of 2 to 20 characters, alike whatever their case, and none that passes for another."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection
from django.utils import timezone

from accounts import personal
from accounts.guests import _create_guest
from accounts.models import RetiredName
from accounts.names import is_reserved, look_of
from accounts.retired_names import RETIREMENT
from dominoes_site.keeping import purge

User = get_user_model()


@pytest.mark.parametrize("name", ["al", "mara", "tiago_r", "b-marchetti", "X" * 20, "007"])
def test_such_a_name_may_be_taken(db, name):
    User(username=name, password="!").full_clean()


@pytest.mark.parametrize(
    "name", ["", "a", "X" * 21, "mаra", "ma ra", "ma.ra", "mara@", "mara\n", "мара", "ma\u200bra"]
)
def test_a_name_may_not_be(db, name):
    with pytest.raises(ValidationError):
        User(username=name, password="!").full_clean()


@pytest.mark.parametrize("name", ["alice", "ALICE", "AIice", "a1ice", "aLiCe"])
def test_what_looks_like_alice_is_taken(alice, name):
    with pytest.raises(ValidationError):
        User(username=name, password="!").full_clean()
    with pytest.raises(IntegrityError):
        User.objects.bulk_create([User(username=name, password="!")])


def test_the_database_sees_names_as_we_do(db):
    names = ["Bob-0", "O1I_l", "plain", "10-lO"]
    for name in names:
        User.objects.create_user(name)
    assert dict(User.objects.values_list("username", "look")) == {name: look_of(name) for name in names}


def test_people_are_found_whatever_the_case(alice):
    assert User.objects.get(username__iexact="ALICE") == alice
    assert User.objects.get_by_natural_key("Alice") == alice
    assert not User.objects.filter(username__iexact="a%").exists()


@pytest.mark.parametrize("field", ["username__iexact", "look"])
def test_finding_somebody_reads_an_index_and_no_table(db, field):
    plan = User.objects.filter(**{field: "alice"}).explain()
    assert connection.vendor != "sqlite" or "SEARCH" in plan


@pytest.mark.parametrize("name", ["admin", "Adm1n", "moderator", "b0neyard", "deleted-7", "DELETED_7"])
def test_names_of_the_site_are_kept(name):
    assert is_reserved(name)
    assert not is_reserved("mara")


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "Admin2",
        "the_admin",
        "site-admin",
        "SiteAdmin",
        "adm1n",
        "Boneyard_Team",
        "boneyardhelp",
        "M0derator7",
    ]
    + ["moderator-olga", "staff", "Staff_4", "support_", "official-olga", "system", "r00t"]
    + ["mods", "Mod_Olga", "moderador-olga", "soporte", "webmaster"]
    + ["support1", "mod1", "staff0", "TheModerators", "the_staff", "adrnin", "rnoderator", "5upport", "m0d"]
    + [
        "operator",
        "HelpDesk",
        "supportteam",
        "security_team",
        "sitemod",
        "owner1",
        "oficial",
        "strong-2",
        "player-123456",
    ]
    + ["moclerator", "Boneyard-10", "1admin1", "Moderadores", "officiaI"],
)
def test_no_name_passes_for_staff(name):
    assert is_reserved(name)


@pytest.mark.parametrize(
    "name",
    ["badminton", "staffan", "admiral", "supporter", "rooted", "bone_yarn", "helper", "modest"]
    + [
        "theo",
        "rnike",
        "newt",
        "nullify",
        "brisk-owl",
        "owl-1234",
        "mara-7",
        "big_2_fish",
        "clown",
        "arnold",
    ],
)
def test_names_that_only_remind_of_staff_are_free(name):
    assert not is_reserved(name)


@pytest.mark.parametrize(
    "name",
    ["brisk-owl-1234", "Quiet_Heron_10", "calm-lynx-1Il0", "no-body-7", "--", "_-_", "null", "New", "ME"],
)
def test_names_of_guests_and_words_of_programs_are_kept(name):
    assert is_reserved(name)


def test_no_guest_is_made_that_could_pass_for_a_player(db):
    guest = _create_guest({})
    assert is_reserved(guest.username)


def test_name_of_deleted_account_stays_taken_for_a_year(browser_of, alice):
    personal.delete(alice)
    fields = {"password1": "ninety-nine bones", "password2": "ninety-nine bones"}
    for name in ("alice", "A1ICE"):
        answer = browser_of().post("/accounts/signup/", fields | {"username": name})
        assert answer.context["form"].errors == {"username": ["This name is taken."]}
    assert "alice" not in str(list(RetiredName.objects.values()))

    now = timezone.now()
    assert purge(now + RETIREMENT - timedelta(hours=1))["names"] == 0
    RetiredName.objects.update(at=now - RETIREMENT - timedelta(hours=1))
    assert browser_of().post("/accounts/signup/", fields | {"username": "alice"}).status_code == 302
    assert purge(now)["names"] == 1


def test_deleted_guest_retires_no_name(db):
    personal.delete(_create_guest({}))
    assert not RetiredName.objects.exists()
