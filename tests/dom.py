"""A page's elements as far as tests need them: what htmx's swaps out of band make of it."""

import json
from html.parser import HTMLParser
from itertools import chain

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

    def told(self) -> tuple:
        """All of it, for comparing: white space and what says when it came left out."""
        texts = [each.split() if isinstance(each, str) else each.told() for each in self.inner]
        told = {name: value or "" for name, value in self.attributes.items() if name not in PASSING}
        return self.tag, told, [each for each in texts if each]


PASSING = ("hx-swap-oob", "data-version", "data-after", "data-now", "data-stamp")


class _Reader(HTMLParser):
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


def read(html: str) -> Element:
    reader = _Reader()
    reader.feed(html)
    (page,) = reader.open
    return page


def swap(page: Element, frame: str) -> None:
    """What a page makes of a frame, as htmx and static/js/site.js do it."""
    for fresh in read(frame).elements:
        if fresh.attributes.get("id") == "changed":
            if version := fresh.attributes.get("data-version"):
                take(page, [["version", {"value": version}]])
            take(page, json.loads(fresh.attributes["data-of"]))
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


def follow(page: Element) -> None:
    """The bar of a phone has the latest move from the list, as static/js/match/rail.js does it."""
    bar = page.find("newest")
    if bar is None or "data-follows" not in bar.attributes:
        return
    number, mark, deed, *worth = page.find("moves").elements[-1].elements
    page.find("newest-mark").inner = [mark.elements[-1]]
    pieces: list[list[Element | str]] = [
        number.inner,
        [" "],
        [each for each in deed.inner if not _is_whose(each)],
        [" ", *worth],
    ]
    bar.inner = []
    for each in chain(*pieces):
        if isinstance(each, str) and bar.inner and isinstance(bar.inner[-1], str):
            bar.inner[-1] += each
        else:
            bar.inner.append(each)


def _is_whose(each: Element | str) -> bool:
    return isinstance(each, Element) and each.attributes.get("class") == "whose"


def take(page: Element, changes: list[list]) -> None:
    """What is told of elements that stay as they are otherwise, or are gone."""
    for ids, attributes, *inner in changes:
        for id in ids.split():
            target = page.find(id)
            assert target is not None, id
            if attributes is None:
                page.parent_of(target).inner.remove(target)
                continue
            if isinstance(attributes, str):
                target.inner += read(attributes).inner
                continue
            for name, value in attributes.items():
                target.attributes[name.lower()] = value  # as the parser has written those of a drawing
                if value is None:
                    del target.attributes[name.lower()]
            if inner:
                target.inner = read(inner[0]).inner
