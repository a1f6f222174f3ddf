"""Pages in Markdown: their texts, and their rendering without HTML, pictures and unsafe links."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from operators.models import Page
from operators.samples import PAGES
from operators.translated import choose_text, find_foreign_language

# HTML in the source is escaped, and links have only safe schemes (markdown-it-py, "Security").
UNSAFE_RULES = ["image", "html_block", "html_inline"]
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(UNSAFE_RULES)
# Of texts that people write: no headings beside the page's own, and links that search engines do not follow.
_USERS_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable([*UNSAFE_RULES, "heading", "lheading"])


def _open_users_link(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    tokens[index].attrSet("rel", "nofollow ugc noopener")
    return str(self.renderToken(tokens, index, options, env))


_USERS_MARKDOWN.add_render_rule("link_open", _open_users_link)


class RenderedPage(NamedTuple):
    """A page in the reader's language; `body` is HTML."""

    title: str
    body: SafeString
    title_language: str = ""  # "" for the active one
    body_language: str = ""


def render_markdown(text: str) -> SafeString:
    """Render Markdown as HTML in which everything that the writer typed is escaped."""
    return mark_safe(_MARKDOWN.render(text))  # noqa: S308  see _MARKDOWN


def render_users_markdown(text: str) -> SafeString:
    """Render what people of the site write in the same way, without headings."""
    return mark_safe(_USERS_MARKDOWN.render(text))  # noqa: S308  see _USERS_MARKDOWN


def load_page(slug: str) -> RenderedPage:
    """Return the operator's page in the active language, else the sample."""
    page = Page.objects.filter(slug=slug).first()
    title, body = (page.title, page.body) if page else PAGES[slug]
    return RenderedPage(
        choose_text(title),
        render_markdown(choose_text(body)),
        find_foreign_language(title),
        find_foreign_language(body),
    )
