"""Read templates and translations at the start of a server, not at their first use.

A release whose files are put over those of a running one would otherwise render pages with templates that its code does
not know. It takes a third of a second of CPU.
"""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.template import TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template
from django.template.utils import get_app_template_dirs
from django.utils.translation import gettext, override


def read_files() -> None:
    """Fill the caches of Django's template loader and of its translations."""
    for name in find_template_names():
        try:
            get_template(name)
        except (TemplateSyntaxError, TemplateDoesNotExist):
            continue  # of a package: it uses a part of the package that is not installed
    for language, _name in settings.LANGUAGES:
        with override(language):
            gettext(language)  # any word


def find_template_names() -> Iterator[str]:
    """Yield the name of each template of the site and of its packages."""
    for folder in (settings.BASE_DIR / "templates", *get_app_template_dirs("templates")):
        yield from (str(file.relative_to(folder)) for file in Path(folder).rglob("*") if file.is_file())
