"""Static files: collected with a hash in their names, minified and compressed, and served by WhiteNoise."""

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

# rcssmin knows `@media` alone: in `@container` it would make `a :is(b)` the selector `a:is(b)`.
DESCENDANT_PSEUDO_CLASS = re.compile(r"(?<=[\w\])]) :(?=[a-z])")
VALIDATOR_HEADERS = frozenset({"ETag", "Last-Modified"})
IMPORT = re.compile(r'@import url\("([\w-]+)\.[0-9a-f]{12}\.css"\);')


def minify_css(text: str) -> str:
    """Minify a style sheet."""
    return cssmin(DESCENDANT_PSEUDO_CLASS.sub(" *:", text))


MINIFIERS = {"css": minify_css, "js": jsmin}


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    """A manifest storage that rewrites imports between modules, minifies css/ and js/, and inlines style sheets."""

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: File) -> str:
        minify = MINIFIERS.get(name.partition("/")[0])
        if minify:
            text = b"".join(content.chunks()).decode()
            content = ContentFile(minify(IMPORT.sub(_read_import, text)).encode())
        return super()._save(name, content)


def _read_import(match: re.Match[str]) -> str:
    """Return the source of an imported style sheet, which may not be collected yet. Its URLs are fragments only."""
    path = finders.find(f"css/{match[1]}.css")
    if path is None:
        raise FileNotFoundError(match[0])
    return Path(path).read_text()


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise without validators for immutable files, which are never revalidated.

    A match's page loads twenty files, so short headers count.
    """

    def get_static_file(self, path: str, url: str, stat_cache: Any = None) -> StaticFile:
        static_file = super().get_static_file(path, url, stat_cache)
        if self.immutable_file_test(path, url):
            static_file.alternatives = [
                (encoding, file, [header for header in headers if header[0] not in VALIDATOR_HEADERS])
                for encoding, file, headers in static_file.alternatives
            ]
        return static_file
