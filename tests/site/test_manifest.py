"""The web app manifest: in the page's language, with icons and shortcuts that exist."""

import re

import pytest
from django.contrib.staticfiles import finders

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "ru", "es", "pt", "pt-pt"])
def test_manifest_is_in_the_pages_language(client, language):
    page = client.get(f"/{language}/rules/").content.decode()
    address = re.search(r'<link rel="manifest"\s+href="([^"]+)"', page)[1]
    manifest = client.get(address).json()
    assert manifest["lang"] == language and manifest["id"] == manifest["scope"] == "/"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable", "monochrome"}
    assert len(manifest["shortcuts"]) == 4
    for each in (*manifest["icons"], *manifest["screenshots"]):
        assert finders.find(each["src"].removeprefix("/static/")), each["src"]
    for shortcut in manifest["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200
