"""The key by which push services know the site."""

import base64
import stat

from django.core.management import call_command

from dominoes_site.management.commands import setup
from notifications import vapid


def test_setup_keeps_one_key_for_its_owner_alone(settings, tmp_path, monkeypatch):
    settings.VAR_DIR = tmp_path
    for name in ("SECRET_KEY", "CHECKPOINT_KEY", "VAPID_KEY"):
        monkeypatch.delenv(name, raising=False)
    for step in ("_migrate", "_collect_static_files"):
        monkeypatch.setattr(setup.Command, step, lambda self: None)
    call_command("setup")
    key = (tmp_path / "vapid_key").read_text()
    call_command("setup")
    assert (tmp_path / "vapid_key").read_text() == key
    assert stat.S_IMODE((tmp_path / "vapid_key").stat().st_mode) == 0o600
    settings.VAPID_KEY = base64.b64decode(key, validate=True)
    public = vapid.get_public_key()
    assert len(settings.VAPID_KEY) == 32
    assert base64.urlsafe_b64decode(public + "=")[0] == 4  # an uncompressed point
