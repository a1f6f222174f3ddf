"""The admin's words: games by title, permissions and libraries' rows in the reader's language, cards on phones."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core import mail
from django.utils.translation import gettext, override

from accounts import moderators
from accounts.admin import library_labels
from core.templatetags.admin_lists import with_headings
from games.wording import preset_title
from operators import site_settings
from operators.models import MailText, SiteSettings
from tests.html import collapse_whitespace
from tests.lobbies.tables import make
from tests.nights.open_nights import make_open_night

pytestmark = pytest.mark.django_db
User = get_user_model()


@pytest.fixture
def boss(db):
    return User.objects.create_superuser("the-boss")


def test_games_are_listed_by_title(alice, boss, browser_of):
    make(alice, preset="fives-and-threes-league")
    make_open_night(preset="fives-and-threes-league")
    title = preset_title("fives-and-threes-league")
    for page in ("lobbies/table", "nights/opennight", "events/programmeday"):
        text = browser_of(boss).get(f"/admin/{page}/").content.decode()
        listed = re.search(r"<tbody>.*</tbody>", text, re.DOTALL)
        assert listed is None or "fives-and-threes" not in re.sub(r"<[^>]*>", "", listed.group())
    assert title in browser_of(boss).get("/admin/lobbies/table/").content.decode()


def test_permissions_are_named_by_kind_and_action(boss, browser_of):
    group = Group.objects.get(name=moderators.NAME)
    held = set(group.permissions.values_list("pk", flat=True))
    page = browser_of(boss).get(f"/admin/auth/group/{group.pk}/change/")
    field = page.context["adminform"].form.fields["permissions"]
    labels = [label for _value, label in field.choices]
    assert "person: warn, mute" in labels
    assert not any("Can " in label for label in labels)
    assert held <= {value.value for value, _label in field.choices}
    with override("ru"):
        assert any(label.startswith("партия: ") for _value, label in field.choices)


def test_cells_have_headings_and_no_markup_from_them():
    row = with_headings(
        ['<td class="x">1</td>', '<td class="y">-</td>', '<td><input type="checkbox"></td>'],
        [{"text": 'a "b"'}, {"text": "until"}, {"text": "<input>"}],
    )
    assert row == (
        '<td data-label="A &quot;b&quot;" class="x">1</td><td data-label="Until" data-empty class="y">-</td>'
        '<td><input type="checkbox"></td>'
    )


def test_renamed_site_shows_its_own_name(alice, browser_of):
    site_settings.cache(SiteSettings(name="Club Capicúa"), 600)
    page = browser_of().get("/rules/").content.decode()
    assert '<span class="wordmark-name">Club Capicúa</span>' in page
    EmailAddress.objects.create(user=alice, email="alice@example.org", verified=True, primary=True)
    pages = [page, *(browser_of().get(path).content.decode() for path in ("/", "/manifest.webmanifest"))]
    browser_of().post("/accounts/password/reset/", {"email": "alice@example.org"})
    texts = [*pages, *(message.body for message in mail.outbox)]
    assert len(mail.outbox) == 1
    assert not any("Boneyard" in text for text in texts)


def test_mail_text_is_logged_by_title(boss):
    text = MailText(key="digest")
    assert str(text) == "Open cases, for moderators"
    assert str(MailText(key="gone")) == "gone"


def test_lists_put_no_name_into_a_sentence(alice, boss, browser_of):
    for language, people in (
        ("en", "People: 2"),
        ("ru", "Люди: 2"),
        ("es", "Personas: 2"),
        ("pt", "Pessoas: 2"),
    ):
        page = browser_of(boss).get("/admin/accounts/user/", headers={"accept-language": language})
        text = collapse_whitespace(re.sub(r"<[^>]*>", " ", page.content.decode()))
        assert people in text


def test_django_has_the_sentences_reworded_here():
    for sentence in library_labels.DJANGO_SENTENCES:
        with override("ru"):
            assert gettext(sentence) != sentence
