"""The key that signs the checkpoints of this site's seals."""

from urllib.parse import urlsplit

from django.conf import settings

from core import transparency


def get_origin() -> str:
    """Return the name of the log, which is that of its key, too."""
    return f"{urlsplit(settings.SITE_URL).netloc or 'localhost'}/fairness"


def get_verifier_key() -> str:
    """Return the public key for verifiers of signed notes, "" before `manage.py setup` has made the key."""
    if not settings.CHECKPOINT_KEY:
        return ""
    return transparency.verifier_key(get_origin(), settings.CHECKPOINT_KEY)
