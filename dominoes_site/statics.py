"""How static files are collected: named by what is in them, so that a browser keeps them for ever, and compressed."""

from django.core.files.base import ContentFile, File
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

MINIFIED = {"css": cssmin, "js": jsmin}


class Storage(CompressedManifestStaticFilesStorage):
    """Imports between our modules name the collected files, too; our own styles and scripts go without comments."""

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: File) -> str:
        minify = MINIFIED.get(name.partition("/")[0])
        if minify:
            text = b"".join(content.chunks()).decode()
            content = ContentFile(minify(text).encode())
        return super()._save(name, content)
