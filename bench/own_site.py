"""A site of this process's own, in a temporary folder."""

import os
import tempfile
from pathlib import Path

_folder = tempfile.TemporaryDirectory(prefix="boneyard-bench-", ignore_cleanup_errors=True)
FOLDER = Path(_folder.name)


def set_up(**environment: str) -> None:
    """Set up Django for a site in `FOLDER`. Call it before whatever imports models."""
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    os.environ |= {"VAR_DIR": str(FOLDER), "DJANGO_SETTINGS_MODULE": "dominoes_site.settings", **environment}
    import django

    django.setup()
