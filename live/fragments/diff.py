"""The difference between two versions of a page's fragments, and the frame that carries it (docs/fragments.md)."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from live.fragments.fragment import MAX_CACHED_FRAGMENTS, Children, Fragment

MAX_CACHED_DIFFS = 1_000  # roughly those of the latest moves
MAX_PATCH_HTML_CHARS = 400  # longer HTML is shorter as a swap, where no quotes are escaped
MAX_REMOVED_CHILDREN = 4  # with more, the whole element is shorter, and restores the order of its children

_STATELESS_TAGS = frozenset(
    {"b", "button", "g", "li", "p", "span", "svg"}
)  # no focus, scroll position or input inside
_INTERACTIVE = re.compile(r"<(?:a|button|input)\b")  # may have the focus, or be about to be pressed
_ATTRIBUTE = re.compile(r'([\w-]+)(?:="([^"]*)")?')
_REMOVE, _CHANGE_NOTHING = "null", "{}"

_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class ElementPatch(NamedTuple):
    """A change to one element, which stays otherwise. `operation` is JSON for static/js/fragments.js:

    `{name: value}`        set attributes; null removes one
    `{name: value},"html"` set attributes and replace the content
    `"html"`               append to the content
    `null`                 remove the element
    """

    id: str
    operation: str


Patch = ElementPatch | str  # a str is an element that htmx swaps out of band


def update_element(
    id: str, attributes: Mapping[str, str | None], inner_html: str | None = None
) -> ElementPatch:
    """Return the patch that sets these attributes (None removes one) and the content, unless it is None."""
    operation = _to_json(attributes)
    return ElementPatch(id, operation if inner_html is None else f"{operation},{_to_json(inner_html)}")


def render_frame(patches: Iterable[Patch], attributes: str = "") -> str:
    """Return the HTML of a frame: first `#patches`, which has `attributes` and all element patches, then the swaps.

    Equal operations are written once, with the ids of all their elements.
    """
    ids_by_operation: dict[str, list[str]] = defaultdict(list)
    swaps = []
    for patch in patches:
        if isinstance(patch, str):
            swaps.append(patch)
        else:
            ids_by_operation[patch.operation].append(patch.id)
    if ids_by_operation:
        entries = ",".join(
            [f'["{" ".join(ids)}",{operation}]' for operation, ids in ids_by_operation.items()]
        )
        quoted = entries.replace("&", "&amp;").replace("'", "&#x27;")
        swaps.insert(0, f'<i id="patches"{attributes} data-patches=\'[{quoted}]\' hx-swap-oob="true"></i>')
    return "".join(swaps)


# Cache: key both objects; bound MAX_CACHED_DIFFS; invalidated by nothing, as fragments are immutable. What several
# viewers see is the same object for all of them and compared once.
@lru_cache(MAX_CACHED_DIFFS)
def diff(old: Fragment, new: Fragment, swap_attributes: str = "") -> Sequence[Patch]:
    """Return the patches that make `new` of a page's `old`.

    If it is swapped whole, it gets `swap_attributes`, with its checksum in place of {}. Both have the same id. An id
    inside keeps its parent, or moves to an element further down the page: the patch that removes it is applied before
    the one that inserts it.
    """
    patches: list[Patch] = []
    _diff_fragment(old, new, swap_attributes, patches)
    return patches


def _diff_fragment(old: Fragment, new: Fragment, swap_attributes: str, patches: list[Patch]) -> None:
    if old.client_rendered and new.client_rendered:
        return
    if new.volatile:
        if old.checksum != new.checksum:
            _resend_volatile(old, new, patches)
    elif old.children is not None and new.children is not None:
        _diff_children(old, new, old.children, new.children, swap_attributes, patches)
    elif old.content == new.content if old.children is new.children else old.inner_html == new.inner_html:
        _diff_attributes(old, new, patches)
    else:
        _replace_content(old, new, swap_attributes, patches)


def _resend_volatile(old: Fragment, new: Fragment, patches: list[Patch]) -> None:
    attributes = _parse_attributes(new.attributes)
    removed = dict.fromkeys([name for name in _parse_attributes(old.attributes) if name not in attributes])
    patches.append(update_element(new.id, {**attributes, **removed}))
    patches += [update_element(child.id, {}, child.inner_html) for child in new.fragments.values()]


def _diff_children(
    old: Fragment,
    new: Fragment,
    old_children: Children,
    new_children: Children,
    swap_attributes: str,
    patches: list[Patch],
) -> None:
    """Patch the children if some were removed and others appended; replace the content if they were reordered."""
    pairs, removed_ids = _pair_changed_children(old_children, new_children), []
    if pairs is None:
        remaining = new.fragments
        removed_ids = [id for id in old.fragments if id not in remaining]
        old_children = tuple(
            [child for child in old_children if isinstance(child, str) or child.id in remaining]
        )
        pairs = _pair_changed_children(old_children, new_children)
    appended = new_children[len(old_children) :]
    fragments = [child for child in appended if isinstance(child, Fragment)]
    if pairs is None or len(removed_ids) > MAX_REMOVED_CHILDREN or len(fragments) < len(appended):
        _replace_content(old, new, swap_attributes, patches)
        return
    if old.attributes != new.attributes or old.shared_attributes != new.shared_attributes:
        _diff_attributes(old, new, patches)
    patches += [ElementPatch(id, _REMOVE) for id in removed_ids]
    for old_child, new_child in pairs:
        if new_child.tag == "svg":
            patches += diff(old_child, new_child)  # all viewers have the same drawings: use the cache
        else:
            _diff_fragment(old_child, new_child, "", patches)
    if fragments:
        patches.append(_append(new, "".join([child.html() for child in fragments])))


def _pair_changed_children(old: Children, new: Children) -> list[tuple[Fragment, Fragment]] | None:
    """Return the fragments of `old` that are other objects in `new`, each with its successor.

    Return None if `new` does not begin with the children of `old`.
    """
    if len(old) > len(new):
        return None
    pairs = []
    for old_child, new_child in zip(old, new, strict=False):
        if old_child is new_child:
            continue
        if (
            isinstance(old_child, Fragment)
            and isinstance(new_child, Fragment)
            and old_child.id == new_child.id
        ):
            pairs.append((old_child, new_child))
        elif old_child != new_child:
            return None
    return pairs


def _append(parent: Fragment, html: str) -> Patch:
    # Only a swap has htmx process the attributes of what it inserts.
    if len(html) < MAX_PATCH_HTML_CHARS and " hx-" not in html:
        return ElementPatch(parent.id, _to_json(html))
    wrapper = "svg" if parent.is_svg else "div"
    return f'<{wrapper} data-wrapper hx-swap-oob="beforeend:#{parent.id}">{html}</{wrapper}>'


def _replace_content(old: Fragment, new: Fragment, swap_attributes: str, patches: list[Patch]) -> None:
    """Replace the content by a patch if it is short and stateless; otherwise swap the element."""
    inner_html = new.inner_html
    is_short = len(inner_html) < MAX_PATCH_HTML_CHARS
    is_patchable = new.tag in _STATELESS_TAGS and is_short and not _INTERACTIVE.search(inner_html)
    if old.tag == new.tag and (is_patchable or not inner_html.strip()):
        _diff_attributes(old, new, patches, inner_html)
    elif new.tag == "g":
        _diff_attributes(old, new, patches)
        patches.append(f'<svg data-wrapper hx-swap-oob="innerHTML:#{new.id}">{inner_html}</svg>')
    else:
        patches.append(new.html(f'{swap_attributes.format(new.checksum)} hx-swap-oob="morph"'))


def _diff_attributes(
    old: Fragment, new: Fragment, patches: list[Patch], inner_html: str | None = None
) -> None:
    if old.shared_attributes != new.shared_attributes:
        patches.append(
            ElementPatch(new.id, _attribute_operation(old.shared_attributes, new.shared_attributes))
        )
    if inner_html is not None:
        operation = _attribute_operation(old.attributes, new.attributes)
        patches.append(ElementPatch(new.id, f"{operation},{_to_json(inner_html)}"))
    elif old.attributes != new.attributes:
        operation = _attribute_operation(old.attributes, new.attributes)
        if operation != _CHANGE_NOTHING:
            patches.append(ElementPatch(new.id, operation))


# Cache: key both texts; bound MAX_CACHED_FRAGMENTS; invalidated by nothing.
@lru_cache(MAX_CACHED_FRAGMENTS)
def _attribute_operation(old: str, new: str) -> str:
    """Return the operation that sets the attributes that differ, and removes those that are gone."""
    before, after = _parse_attributes(old), _parse_attributes(new)
    changed: dict[str, str | None] = {
        name: value for name, value in after.items() if before.get(name) != value
    }
    return _to_json(changed | dict.fromkeys([name for name in before if name not in after]))


# Cache: key the text; bound MAX_CACHED_FRAGMENTS; invalidated by nothing.
@lru_cache(MAX_CACHED_FRAGMENTS)
def _parse_attributes(attributes: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(attributes)}
