"""Names: ASCII, of 2 to 20 characters, alike whatever their case, and none that passes for another."""

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection

from accounts.names import is_reserved, look_of

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
    + ["mods", "Mod_Olga", "moderador-olga", "soporte", "webmaster"],
)
def test_no_name_passes_for_staff(name):
    assert is_reserved(name)


@pytest.mark.parametrize(
    "name", ["badminton", "staffan", "admiral", "supporter", "rooted", "bone_yarn", "helper", "modest"]
)
def test_names_that_only_remind_of_staff_are_free(name):
    assert not is_reserved(name)
