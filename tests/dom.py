"""A minimal DOM that applies frames as htmx and the site's scripts do."""

import json
from html.parser import HTMLParser
from itertools import chain, groupby

VOID = {"input", "img", "br", "link", "wbr"}


class Element:
    def __init__(self, tag: str, attributes: dict[str, str | None]) -> None:
        self.tag, self.attributes = tag, attributes
        self.inner: list[Element | str] = []

    @property
    def elements(self) -> "list[Element]":
        return [each for each in self.inner if isinstance(each, Element)]

    def find(self, id: str) -> "Element | None":
        if self.attributes.get("id") == id:
            return self
        return next((found for each in self.elements if (found := each.find(id))), None)

    def parent_of(self, child: "Element") -> "Element":
        if child in self.elements:
            return self
        return next(each.parent_of(child) for each in self.elements if each.find(child.attributes["id"]))

    def comparable(self) -> tuple:
        """Return the tree without whitespace and version attributes."""
        inner: list[object] = []
        for is_text, nodes in groupby(self.inner, lambda each: isinstance(each, str)):
            if is_text:
                inner.append("".join(nodes).split())
            else:
                inner.extend(each.comparable() for each in nodes if isinstance(each, Element))
        attributes = {
            name: value or "" for name, value in self.attributes.items() if name not in IGNORED_ATTRIBUTES
        }
        return self.tag, attributes, [each for each in inner if each]


IGNORED_ATTRIBUTES = ("hx-swap-oob", "data-version", "data-base", "data-now", "data-checksum")


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("page", {})]

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(self.open[-1].elements[-1])

    def handle_startendtag(self, tag, attrs):
        self.open[-1].inner.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        self.open[-1].inner.append(data)


def parse(html: str) -> Element:
    parser = _Parser()
    parser.feed(html)
    (page,) = parser.open
    return page


def apply_frame(page: Element, frame: str) -> None:
    """Apply a frame, as htmx and static/js/fragments.js do."""
    for fresh in parse(frame).elements:
        if fresh.attributes.get("id") == "patches":
            if version := fresh.attributes.get("data-version"):
                apply_patches(page, [["version", {"value": version}]])
            apply_patches(page, json.loads(fresh.attributes["data-patches"]))
            continue
        how, _colon, selector = fresh.attributes["hx-swap-oob"].partition(":")
        target = page.find(selector[1:] or fresh.attributes["id"])
        assert target is not None, fresh.attributes
        if how == "beforeend":
            target.inner += fresh.inner
        elif how == "innerHTML":
            target.inner = fresh.inner
        else:
            assert how in ("morph", "true")
            target.tag, target.attributes, target.inner = fresh.tag, fresh.attributes, fresh.inner


def update_newest_move(page: Element) -> None:
    """Copy the latest move from the list to the phone's bar, as static/js/match/rail.js does."""
    bar = page.find("newest")
    if bar is None or "data-client-rendered" not in bar.attributes:
        return
    number, mark, action, *points = page.find("moves").elements[-1].elements[-1].elements
    page.find("newest-mark").inner = [mark.elements[-1]]
    pieces: list[list[Element | str]] = [
        number.inner,
        [" "],
        [each for each in action.inner if not _is_whose(each)],
        [" ", *points],
    ]
    bar.inner = []
    for each in chain(*pieces):
        if isinstance(each, str) and bar.inner and isinstance(bar.inner[-1], str):
            bar.inner[-1] += each
        else:
            bar.inner.append(each)


def _is_whose(each: Element | str) -> bool:
    return isinstance(each, Element) and each.attributes.get("class") == "whose"


def apply_patches(page: Element, changes: list[list]) -> None:
    """Apply `[ids, attributes, html?]`: set attributes, append HTML (a string) or remove the element (None)."""
    for ids, attributes, *inner in changes:
        for id in ids.split():
            target = page.find(id)
            assert target is not None, id
            if attributes is None:
                page.parent_of(target).inner.remove(target)
                continue
            if isinstance(attributes, str):
                target.inner += parse(attributes).inner
                continue
            for name, value in attributes.items():
                target.attributes[name.lower()] = value  # `HTMLParser` lower-cases SVG attributes
                if value is None:
                    del target.attributes[name.lower()]
            if inner:
                target.inner = parse(inner[0]).inner
