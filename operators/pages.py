"""Pages in Markdown: their texts, and their rendering without HTML, pictures and unsafe links."""

from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from operators.models import Page
from operators.samples import PAGES
from operators.translated import choose_text

# HTML in the source is escaped, and links have only safe schemes (markdown-it-py, "Security").
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "html_block", "html_inline"])
)


class RenderedPage(NamedTuple):
    """A page in the reader's language; `body` is HTML."""

    title: str
    body: SafeString


def render_markdown(text: str) -> SafeString:
    """Render Markdown as HTML in which everything that the writer typed is escaped."""
    return mark_safe(_MARKDOWN.render(text))  # noqa: S308  see _MARKDOWN


def load_page(slug: str) -> RenderedPage:
    """Return the operator's page in the active language, else the sample."""
    page = Page.objects.filter(slug=slug).first()
    title, body = (page.title, page.body) if page else PAGES[slug]
    return RenderedPage(choose_text(title), render_markdown(choose_text(body)))
