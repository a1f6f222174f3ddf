"""Parts of a page that are sent again only when they have changed, and then as little of them as has changed.

A part is an element with an id, and most of a page's are the very objects that it had before. What is sent are htmx's
swaps out of band; what goes into another element comes in one of no meaning (`data-around`). That elements have other
attributes, or are gone, is told of all of them in one (`Change`; static/js/site.js).
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from zlib import crc32

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

KEPT = 5_000  # parts, those of some hundred tables; four times as many are found no more often
COMPARED = 1_000  # pairs of parts, of the latest moves
LONG = 400  # characters; of more a fragment is shorter, where no quotes are escaped
TEXTS = frozenset({"b", "button", "g", "li", "p", "span", "svg"})  # tags of what holds nothing with a state
USED = re.compile(r"<(?:a|button|input)\b")  # what somebody may be about to press
MANY = 4  # children gone at once: the whole is shorter to send, and its order is the page's own again

PLACE = "\0"  # in no name or text that is stored
OPENING = re.compile(r'\s*<(\w+)\s+id="([\w-]+)"([^>]*)>')
ATTRIBUTE = re.compile(r'([\w-]+)(?:="([^"]*)")?')
LINES = re.compile(r"\s*\n\s*")
in_json = json.JSONEncoder(ensure_ascii=False).encode


Children = tuple["Part | str", ...]


class Part:
    """`attributes` are those after the id, each with a blank before it; those that several parts have `alike` are told
    of all of them together. `children` are parts and what stands between them, or None where `inner` is the content as
    text. What `drifts`, as a clock does, is changed by the page as well: of it and its children all is sent. What
    `follows` another part is made by the page from that, and not sent."""

    # Thousands are kept: without a dictionary each, the collector has half as much to look through.
    __slots__ = ("_inner", "_stamp", "alike", "attributes", "children", "drifts", "follows", "id", "tag")

    def __init__(
        self,
        id: str,
        tag: str,
        attributes: str,
        inner: str = "",
        children: Children | None = None,
        drifts: bool = False,
        follows: bool = False,
        alike: str = "",
    ) -> None:
        self.id, self.tag, self.attributes, self.children = id, tag, attributes, children
        self.drifts, self.follows, self.alike = drifts, follows, alike
        self._inner, self._stamp = inner, ""

    @property
    def inner(self) -> str:
        if self.children is None:
            return self._inner
        return "".join([child if isinstance(child, str) else child.html() for child in self.children])

    def html(self, extra: str = "") -> SafeString:
        """The whole element, with `extra` attributes."""
        about = f"{self.alike}{self.attributes}{extra}"
        return SafeString(f'<{self.tag} id="{self.id}"{about}>{self.inner}</{self.tag}>')

    def filled(self, attributes: str, *parts: "Part") -> "Part":
        """The same with more attributes, and with these parts in the places of those of their ids. Raises ValueError
        if one has no place."""
        own = {part.id: part for part in parts}
        children = tuple(
            [child if isinstance(child, str) else own.pop(child.id, child) for child in self.children or ()]
        )
        if own:
            raise ValueError(f"no place in {self.id} for {', '.join(own)}")
        return Part(self.id, self.tag, f"{attributes}{self.attributes}", children=children)

    @property
    def stamp(self) -> str:
        """A sum of what it shows, alike in every process."""
        if not self._stamp:
            content = self._inner
            if self.children is not None:
                stamps = [child if isinstance(child, str) else child.stamp for child in self.children]
                content = "".join(stamps)
            shown = f"{self.tag} {self.id} {self.alike}{self.attributes}>{content}"
            self._stamp = f"{crc32(shown.encode()):08x}"
        return self._stamp

    @property
    def parts(self) -> "dict[str, Part]":
        """Its children by their ids, in order."""
        return {child.id: child for child in self.children or () if not isinstance(child, str)}

    @property
    def pieces(self) -> list[str]:
        """Of a template's: its text and, every second, the id of a part that has its place there."""
        return self._inner.split(PLACE)

    @property
    def drawn(self) -> bool:
        """Whether it is part of a drawing, whose elements are made inside one alone."""
        return self.tag in ("svg", "g")


@lru_cache(KEPT)
def read(html: str) -> Part:
    """The element that `html` is, as a part without children. Raises ValueError if it begins without tag and id."""
    opening = OPENING.match(html)
    if opening is None:
        raise ValueError(f"no element with an id first: {html[:80]}")
    tag, id, attributes = opening.groups()
    inner = html[opening.end() : html.rindex("</")]
    return Part(id, tag, LINES.sub(" ", attributes).rstrip(), LINES.sub(" ", inner))


@lru_cache(KEPT, typed=True)  # text that is marked up and the same that is not are equal
def render(template: str, language: str | None, /, **shown: object) -> Part:
    """The part that `template` makes of what it is given in the language that is active, which must be the one that is
    named; made once for the same. Of what is in tuples, the one must always be marked up, or never.

    What is a part, or a tuple of parts, becomes a child where the template has it: it may change by itself.
    """
    parts = {part.id: part for value in shown.values() for part in _parts_in(value)}
    outline = _outline(template, language, **{name: _place(value) for name, value in shown.items()})
    if not parts:
        return outline
    children = (parts[piece] if place % 2 else piece for place, piece in enumerate(outline.pieces))
    return Part(outline.id, outline.tag, outline.attributes, children=tuple(filter(None, children)))


@lru_cache(KEPT, typed=True)
def _outline(template: str, language: str | None, /, **shown: object) -> Part:
    return read(render_to_string(template, shown))


def _parts_in(value: object) -> tuple[Part, ...]:
    if isinstance(value, Part):
        return (value,)
    return value if isinstance(value, tuple) and value and isinstance(value[0], Part) else ()


def _place(value: object) -> object:
    """What holds the place of parts in a template."""
    if isinstance(value, Part):
        return SafeString(f"{PLACE}{value.id}{PLACE}")
    return tuple(map(_place, value)) if isinstance(value, tuple) and _parts_in(value) else value


@lru_cache(KEPT)
def element(id: str, tag: str, attributes: str, inner: str) -> Part:
    """A part without children; the same object for the same."""
    return Part(id, tag, attributes, inner)


class Change(NamedTuple):
    """To an element that stays as it is otherwise. `told` is in JSON what the page's script makes of it: its other
    attributes, null for those that it has no more, and after them what it holds, where that is another; or what it
    holds more at its end, as a text; or null, and it is gone."""

    id: str
    told: str


GONE = "null"


def becomes(attributes: Mapping[str, str | None], inner: str | None = None) -> str:
    """For a Change: these attributes, and what it holds unless that stays."""
    pairs = (
        f"{in_json(name)}:{GONE if value is None else in_json(value)}" for name, value in attributes.items()
    )
    about = f"{{{','.join(pairs)}}}"
    return about if inner is None else f"{about},{in_json(inner)}"


def frame(changed: Iterable[str | Change], about: str = "") -> str:
    """Fragments as they are sent: first one that tells all the changes, the same to several elements together, with
    the attributes that are `about` the whole."""
    ids: dict[str, list[str]] = defaultdict(list)
    fragments = []
    for each in changed:
        if isinstance(each, str):
            fragments.append(each)
        else:
            ids[each.told].append(each.id)
    if ids:
        told = ",".join([f'["{" ".join(of)}",{what}]' for what, of in ids.items()])
        quoted = told.replace("&", "&amp;").replace("'", "&#x27;")
        fragments.insert(0, f'<i id="changed"{about} data-of=\'[{quoted}]\' hx-swap-oob="true"></i>')
    return "".join(fragments)


Changes = list[str | Change]


@lru_cache(COMPARED)
def changes(old: Part, new: Part, extra: str = "") -> Sequence[str | Change]:
    """What makes `new` of a page's `old`, for `frame`; with `extra` attributes on the element if it is sent whole. What
    several viewers see alike is compared once."""
    found: Changes = []
    _compare(old, new, extra, found)
    return found


def _compare(old: Part, new: Part, extra: str, found: Changes) -> None:
    if old.follows and new.follows:
        return
    if new.drifts:
        if old.stamp != new.stamp:
            _all_of(old, new, found)
    elif old.children is None or new.children is None:
        _of_a_leaf(old, new, extra, found)
    else:
        _of_a_list(old, new, extra, found)


def _all_of(old: Part, new: Part, found: Changes) -> None:
    now = _read_attributes(new.attributes)
    gone = dict.fromkeys(name for name in _read_attributes(old.attributes) if name not in now)
    found.append(Change(new.id, becomes({**now, **gone})))
    found.extend(Change(child.id, becomes({}, child.inner)) for child in new.parts.values())


def _of_a_list(old: Part, new: Part, extra: str, found: Changes) -> None:
    """Children that are gone and those that are new at the end are told as that; in any other order, all are."""
    before, now = old.children or (), new.children or ()
    differing, gone = _differing(before, now), []
    if differing is None:
        here = new.parts
        gone = [id for id in old.parts if id not in here]
        before = tuple([child for child in before if isinstance(child, str) or child.id in here])
        differing = _differing(before, now)
    added = now[len(before) :]
    if differing is None or len(gone) > MANY or any(isinstance(child, str) for child in added):
        _whole(old, new, extra, found)
        return
    _changed(old, new, found)
    found.extend(Change(id, GONE) for id in gone)
    for was, is_now in differing:
        if is_now.tag == "svg":
            found += changes(was, is_now)  # a drawing of the line is all viewers'
        else:
            _compare(was, is_now, "", found)
    if added:
        found.append(_added(new, "".join([child.html() for child in added if isinstance(child, Part)])))


def _differing(before: Children, now: Children) -> list[tuple[Part, Part]] | None:
    """The parts among `before` that are other objects now, with those; None if they do not stand in the same places.
    Most are the same objects."""
    if len(before) > len(now):
        return None
    found = []
    for was, is_now in zip(before, now, strict=False):
        if was is is_now:
            continue
        if isinstance(was, Part) and isinstance(is_now, Part) and was.id == is_now.id:
            found.append((was, is_now))
        elif was != is_now:
            return None
    return found


def _added(to: Part, html: str) -> str | Change:
    """What htmx has nothing to do with is told among the changes, unless escaping its quotes makes that longer."""
    if len(html) < LONG and " hx-" not in html:
        return Change(to.id, in_json(html))
    wrapper = "svg" if to.drawn else "div"
    return f'<{wrapper} data-around hx-swap-oob="beforeend:#{to.id}">{html}</{wrapper}>'


def _of_a_leaf(old: Part, new: Part, extra: str, found: Changes) -> None:
    if old.inner == new.inner:
        _changed(old, new, found)
    else:
        _whole(old, new, extra, found)


def _whole(old: Part, new: Part, extra: str, found: Changes) -> None:
    inner = new.inner
    short = new.tag in TEXTS and len(inner) < LONG and not USED.search(inner)
    if old.tag == new.tag and (short or not inner.strip()):
        _changed(old, new, found, inner)
    elif new.tag == "g":
        _changed(old, new, found)
        found.append(f'<svg data-around hx-swap-oob="innerHTML:#{new.id}">{inner}</svg>')
    else:
        found.append(new.html(f'{extra} hx-swap-oob="morph"'))


def _changed(old: Part, new: Part, found: Changes, inner: str | None = None) -> None:
    if old.alike != new.alike:
        found.append(Change(new.id, becomes(_other_attributes(old.alike, new.alike))))
    if old.attributes != new.attributes or inner is not None:
        attributes = _other_attributes(old.attributes, new.attributes)
        if attributes or inner is not None:
            found.append(Change(new.id, becomes(attributes, inner)))


@lru_cache(KEPT)
def _other_attributes(old: str, new: str) -> dict[str, str | None]:
    """What has changed from the ones to the others."""
    before, now = _read_attributes(old), _read_attributes(new)
    fresh = {name: value for name, value in now.items() if before.get(name) != value}
    return fresh | dict.fromkeys(name for name in before if name not in now)


@lru_cache(KEPT)
def _read_attributes(attributes: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in ATTRIBUTE.findall(attributes)}
