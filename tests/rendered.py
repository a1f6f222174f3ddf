"""What Django's test client stores of a response: the contexts of its pages, not of each template included in them.

To copy the context of every template costs as much as many of the pages themselves.
"""

from typing import Any

from django.template import Context, Template
from django.test import client

_client: Any = client  # Django's stubs do not know the function
_store = _client.store_rendered_templates


def store_pages(
    store: dict[str, Any], signal: Any, sender: Any, template: Template, context: Context, **kwargs
):
    """Store a template and its context unless it was included or extended by another."""
    if context.template is template:
        _store(store, signal, sender, template, context, **kwargs)


def install() -> None:
    _client.store_rendered_templates = store_pages
