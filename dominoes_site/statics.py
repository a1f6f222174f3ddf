"""How static files are collected: named by what is in them, so that a browser keeps them for ever, and compressed;
and how they are sent."""

import re
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile, File
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

MINIFIED = {"css": cssmin, "js": jsmin}
VALIDATORS = frozenset({"ETag", "Last-Modified"})
IMPORT = re.compile(r'@import url\("([\w-]+)\.[0-9a-f]{12}\.css"\);')


class Storage(CompressedManifestStaticFilesStorage):
    """Imports between our modules name the collected files, too; our own styles and scripts go without comments, and
    a style sheet has what it imports in the import's place."""

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: File) -> str:
        minify = MINIFIED.get(name.partition("/")[0])
        if minify:
            text = b"".join(content.chunks()).decode()
            content = ContentFile(minify(IMPORT.sub(_imported, text)).encode())
        return super()._save(name, content)


def _imported(found: re.Match[str]) -> str:
    """The style sheet as it is written: it may not be collected yet, and its own addresses are fragments only."""
    path = finders.find(f"css/{found[1]}.css")
    if path is None:
        raise FileNotFoundError(found[0])
    return Path(path).read_text()


class Sender(WhiteNoiseMiddleware):
    """A match's page asks for twenty files, so their heads are kept short: what never changes is never asked about
    again, and has nothing to ask by."""

    def get_static_file(self, path: str, url: str, stat_cache: Any = None) -> StaticFile:
        found = super().get_static_file(path, url, stat_cache)
        if self.immutable_file_test(path, url):
            found.alternatives = [
                (encoding, file, [header for header in headers if header[0] not in VALIDATORS])
                for encoding, file, headers in found.alternatives
            ]
        return found
