"""How static files are collected: compressed, and named by what is in them, so that a browser keeps them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):
    """Imports between our JavaScript modules name the collected files, too."""

    support_js_module_import_aggregation = True
