"""A second factor that is required of staff: no page of the admin without one, and nobody shuts themselves out."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib import admin
from django.urls import reverse

from operators.models import SiteSettings
from tests.site.configuring import configure
from tests.site.test_site_settings import form_values

pytestmark = pytest.mark.django_db
SETTINGS = "/admin/operators/sitesettings/"
SET_UP = "/accounts/2fa/"


def test_staff_without_a_second_factor_see_no_page_of_the_admin(moderator, boss, alice, browser_of):
    configure(staff_second_factor=True)
    pages = ["/admin/", "/admin/figures/", "/admin/games/report/cases/", "/admin/admin/logentry/export/"]
    pages += [f"/admin/games/report/person/{alice.pk}/", "/admin/password_change/"]
    pages += [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in admin.site._registry
    ]
    for person in (moderator, boss):
        browser = browser_of(person)
        for page in pages:
            answer = browser.get(page)
            assert (answer.status_code, answer.url.partition("?")[0]) == (302, "/admin/login/"), page
        browser.post(f"/admin/games/report/person/{alice.pk}/", {"note": "x"})
    assert not alice.notes.exists()


def test_they_are_led_to_where_it_is_set_up_and_back(moderator, browser_of):
    configure(staff_second_factor=True)
    browser = browser_of(moderator)

    answer = browser.get("/admin/", follow=True)

    assert answer.redirect_chain[-1][0] == SET_UP
    assert "Staff of this site need a second factor." in answer.content.decode()
    TOTP.activate(moderator, "JBSWY3DPEHPK3PXP")
    assert browser.get("/admin/").status_code == 200


def test_players_and_strangers_learn_nothing_of_it(alice, browser_of):
    configure(staff_second_factor=True)
    for reader in (alice, None):
        answer = browser_of(reader).get("/admin/", follow=True)
        assert "second factor" not in answer.content.decode().lower().replace("second factors", "")
        assert answer.request["PATH_INFO"] == "/admin/login/"


def test_operator_requires_it_only_with_one_of_their_own(boss, moderator, browser_of):
    browser = browser_of(boss)
    sent = form_values(browser) | {"staff_second_factor": "on"}

    assert "Set up one for your own account first" in browser.post(SETTINGS, sent).content.decode()
    assert not SiteSettings.objects.filter(staff_second_factor=True).exists()

    TOTP.activate(boss, "JBSWY3DPEHPK3PXP")
    answer = browser.post(SETTINGS, sent, follow=True)
    assert "Staff who have none yet: charlie." in answer.content.decode()
    assert SiteSettings.objects.get().staff_second_factor
