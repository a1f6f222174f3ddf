"""Fragments: the elements with an id that a page is rendered from, compared by and updated in (docs/fragments.md)."""

import re
from functools import lru_cache
from zlib import crc32

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

# Cache: key the arguments; bound MAX_CACHED_FRAGMENTS; invalidated by nothing, as the result depends on the key alone.
# This goes for every `lru_cache` of fragments. It is the fragments of some hundred tables; a cache of four times the
# size is hit no more often.
MAX_CACHED_FRAGMENTS = 5_000

_PLACEHOLDER = "\0"  # in no text that the database stores
_OPENING_TAG = re.compile(r'\s*<(\w+)\s+id="([\w-]+)"([^>]*)>')
_LINE_BREAKS = re.compile(r"\s*\n\s*")

Children = tuple["Fragment | str", ...]


class Fragment:
    """An element with an id.

    attributes         those after the id, each with a leading blank
    shared_attributes  those that several fragments have in common: one patch changes them for all of these
    children           fragments and the HTML between them; None for a leaf
    volatile           changed by the page as well, as a running clock: if it differs, its attributes and the content of
                       its children are sent again; it must have the same children in every version
    client_rendered    derived by the page's script from another fragment: no frame contains it
    content            the HTML inside a leaf; "" with children
    checksum           CRC-32 of the element in hexadecimal, the same in every process
    """

    # Thousands are cached: without a dictionary each, the garbage collector has half as much to traverse.
    __slots__ = (
        "attributes",
        "checksum",
        "children",
        "client_rendered",
        "content",
        "id",
        "shared_attributes",
        "tag",
        "volatile",
    )
    checksum: str

    def __init__(
        self,
        id: str,
        tag: str,
        attributes: str,
        inner_html: str = "",
        children: Children | None = None,
        volatile: bool = False,
        client_rendered: bool = False,
        shared_attributes: str = "",
    ) -> None:
        self.id, self.tag, self.attributes, self.children = id, tag, attributes, children
        self.volatile, self.client_rendered, self.shared_attributes = (
            volatile,
            client_rendered,
            shared_attributes,
        )
        self.content = content = inner_html
        if children is not None:
            content = "".join([child if isinstance(child, str) else child.checksum for child in children])
        # Not a property: a page reads the checksums of all its fragments for each frame.
        self.checksum = f"{crc32(f'{tag} {id} {shared_attributes}{attributes}>{content}'.encode()):08x}"

    @property
    def inner_html(self) -> str:
        if self.children is None:
            return self.content
        return "".join([child if isinstance(child, str) else child.html() for child in self.children])

    def html(self, extra_attributes: str = "") -> SafeString:
        """Return the element as HTML."""
        attributes = f"{self.shared_attributes}{self.attributes}{extra_attributes}"
        return SafeString(f'<{self.tag} id="{self.id}"{attributes}>{self.inner_html}</{self.tag}>')

    def with_children(self, attributes: str, *fragments: "Fragment") -> "Fragment":
        """Return a copy with these attributes before its own and each fragment in place of the child of the same id.

        Raise ValueError if there is no such child.
        """
        by_id = {fragment.id: fragment for fragment in fragments}
        children = tuple(
            [child if isinstance(child, str) else by_id.pop(child.id, child) for child in self.children or ()]
        )
        if by_id:
            raise ValueError(f"no child of {self.id} has the id {', '.join(by_id)}")
        return Fragment(self.id, self.tag, f"{attributes}{self.attributes}", children=children)

    @property
    def fragments(self) -> "dict[str, Fragment]":
        """Return the children that are fragments by id, in order."""
        return {child.id: child for child in self.children or () if not isinstance(child, str)}

    @property
    def is_svg(self) -> bool:
        """Return whether the element is SVG, which the browser parses correctly only inside an `<svg>`."""
        return self.tag in ("svg", "g")


@lru_cache(MAX_CACHED_FRAGMENTS)
def parse(html: str) -> Fragment:
    """Return the element `html` as a leaf. Raise ValueError if it does not begin with a tag and an id."""
    opening = _OPENING_TAG.match(html)
    if opening is None:
        raise ValueError(f"no element with an id first: {html[:80]}")
    tag, id, attributes = opening.groups()
    inner_html = html[opening.end() : html.rindex("</")]
    return Fragment(id, tag, _LINE_BREAKS.sub(" ", attributes).rstrip(), _LINE_BREAKS.sub(" ", inner_html))


@lru_cache(MAX_CACHED_FRAGMENTS)
def element(id: str, tag: str, attributes: str, inner_html: str) -> Fragment:
    """Return a leaf; for equal arguments the same object, which a diff skips."""
    return Fragment(id, tag, attributes, inner_html)


@lru_cache(MAX_CACHED_FRAGMENTS, typed=True)  # a SafeString equals the str of the same characters
def render_fragment(template: str, language: str | None, /, **context: object) -> Fragment:
    """Render `template`, whose root element has an id, with `context`.

    `language` must be the active language, as it is part of the cache's key. Fragments and tuples of fragments in
    `context` become children where the template outputs them, so that each is compared on its own. A tuple must not
    hold a SafeString in one call and the equal str in another: `typed` does not look into tuples.
    """
    children = {fragment.id: fragment for value in context.values() for fragment in _fragments_in(value)}
    outline = _render_outline(
        template, language, **{name: _to_placeholder(value) for name, value in context.items()}
    )
    if not children:
        return outline
    # Text and ids alternate.
    pieces = enumerate(outline.inner_html.split(_PLACEHOLDER))
    content = (children[piece] if position % 2 else piece for position, piece in pieces)
    return Fragment(outline.id, outline.tag, outline.attributes, children=tuple(filter(None, content)))


@lru_cache(MAX_CACHED_FRAGMENTS, typed=True)
def _render_outline(template: str, language: str | None, /, **context: object) -> Fragment:
    return parse(render_to_string(template, context))


def _fragments_in(value: object) -> tuple[Fragment, ...]:
    if isinstance(value, Fragment):
        return (value,)
    return value if isinstance(value, tuple) and value and isinstance(value[0], Fragment) else ()


def _to_placeholder(value: object) -> object:
    """Return what a template outputs in place of fragments; any other value unchanged."""
    if isinstance(value, Fragment):
        return SafeString(f"{_PLACEHOLDER}{value.id}{_PLACEHOLDER}")
    return tuple(map(_to_placeholder, value)) if isinstance(value, tuple) and _fragments_in(value) else value
