"""Fragments, and the property of a diff: applied to the old page it gives the new one."""

import pytest
from django.utils.safestring import SafeString
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from live.fragments.diff import MAX_PATCH_HTML_CHARS, MAX_REMOVED_CHILDREN, diff, render_frame, update_element
from live.fragments.fragment import Fragment, element, parse, render_fragment
from live.fragments.page_state import PageState
from tests import dom

TEXT = "<b>five minutes</b>"
LONG = "ж" * MAX_PATCH_HTML_CHARS
TEXTS = st.sampled_from(["", "a", "it's 5 &amp; 6", "&lt;b&gt; \\ “”", "<u>x</u>y", "<a>press</a>", LONG])
# The tag of each id is the same in both versions, and shared attributes have other names than own ones.
TAGS = ("div", "span", "p", "ol", "section", "button")
MAX_DEPTH = 2

randomized = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def attributes(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    values = st.sampled_from(["", "1", "two words", "&quot;q&quot; &amp; 'a'"])
    return st.dictionaries(st.sampled_from(names), values, max_size=2).map(
        lambda chosen: "".join(f' {name}="{value}"' for name, value in chosen.items())
    )


@st.composite
def children_of(draw: st.DrawFn, id: str) -> tuple[Fragment | str, ...]:
    """Return children in any number and order. An id names its parent, as it may have no other."""
    ids = draw(st.lists(st.sampled_from(range(MAX_REMOVED_CHILDREN + 2)), unique=True))
    children: list[Fragment | str] = [draw(fragments(f"{id}-{number}")) for number in ids]
    for position in draw(st.lists(st.integers(0, len(children)), max_size=2)):
        children.insert(position, draw(st.sampled_from(["text", "<br>", " "])))
    return tuple(children)


@st.composite
def fragments(draw: st.DrawFn, id: str = "x") -> Fragment:
    depth = id.count("-")
    tag = TAGS[sum(map(ord, id)) % len(TAGS)] if depth else "div"
    own, shared = draw(attributes(("lang", "title", "data-x"))), draw(attributes(("type", "name")))
    if depth == MAX_DEPTH or draw(st.booleans()):
        return Fragment(id, tag, own, draw(TEXTS), shared_attributes=shared)
    return Fragment(id, tag, own, children=draw(children_of(id)), shared_attributes=shared)


@st.composite
def page_pairs(draw: st.DrawFn) -> tuple[Fragment, Fragment]:
    """Return a fragment, and another that has some of its children in common with it."""
    old = draw(fragments())
    return old, draw(st.one_of(fragments(), edits_of(old)))


@st.composite
def edits_of(draw: st.DrawFn, old: Fragment) -> Fragment:
    """Return `old` with some children edited, removed or appended, as a move does."""
    if old.children is None:
        return draw(fragments(old.id))
    children: list[Fragment | str] = []
    for child in old.children:
        edit = "keep" if isinstance(child, str) else draw(st.sampled_from(["keep", "keep", "edit", "remove"]))
        if edit != "remove":
            children.append(
                draw(edits_of(child)) if isinstance(child, Fragment) and edit == "edit" else child
            )
    if draw(st.booleans()):
        children += [draw(fragments(f"{old.id}-new-{number}")) for number in range(draw(st.integers(1, 2)))]
    own = draw(st.one_of(st.just(old.attributes), attributes(("lang", "title", "data-x"))))
    return Fragment(old.id, old.tag, own, children=tuple(children), shared_attributes=old.shared_attributes)


def apply(frame: str, page: str) -> object:
    root = dom.parse(page)
    dom.apply_frame(root, frame)
    return root.comparable()


@randomized
@given(page_pairs())
@example((element("x", "div", "", ""), Fragment("x", "div", "", children=(element("x-1", "b", "", "1"),))))
def test_diff_applied_to_old_page_gives_new_page(pair):
    old, new = pair
    assert apply(render_frame(diff(old, new)), old.html()) == dom.parse(new.html()).comparable()


@randomized
@given(fragments())
def test_diff_of_equal_fragments_is_empty(fragment):
    assert list(diff(fragment, fragment)) == []


@randomized
@given(page_pairs())
def test_checksums_differ_if_the_html_does(pair):
    old, new = pair
    assert (old.checksum == new.checksum) == (old.html() == new.html())


@randomized
@given(st.lists(fragments("p"), min_size=2, max_size=2), st.lists(fragments("q"), min_size=2, max_size=2))
def test_page_state_diff_applied_to_old_page_gives_new_page(first, second):
    old, new = (PageState(pair) for pair in zip(first, second, strict=True))
    expected = dom.parse(new.full_html()).comparable()
    assert apply(new.diff_from(old), old.full_html()) == expected
    assert apply(new.full_html(), old.full_html()) == expected


def test_volatile_fragment_is_sent_in_full():
    def clock(seconds: str, attributes: str) -> Fragment:
        return Fragment(
            "c", "time", attributes, children=(element("face", "span", "", seconds),), volatile=True
        )

    old, new = clock("0:10", ' data-deadline="x" class="a"'), clock("0:10", ' class="a"')
    assert diff(old, new) == [
        update_element("c", {"class": "a", "data-deadline": None}),
        update_element("face", {}, "0:10"),
    ]


def test_client_rendered_fragment_is_not_sent():
    old, new = (Fragment("bar", "span", "", text, client_rendered=True) for text in ("1", "2"))
    assert list(diff(old, new)) == []


def test_equal_patches_are_sent_once():
    frame = render_frame([update_element("a", {"class": "x"}), update_element("b", {"class": "x"})])
    assert frame == ('<i id="patches" data-patches=\'[["a b",{"class":"x"}]]\' hx-swap-oob="true"></i>')


@pytest.mark.parametrize("kinds", [(SafeString, str), (str, SafeString)])
def test_escaped_text_is_not_cached_as_markup(kinds):
    clocks = {kind: kind(f"{TEXT} {kinds}") for kind in kinds}
    html = {
        kind: render_fragment("games/_facts.html", "en", clock=clock).html() for kind, clock in clocks.items()
    }

    assert TEXT in html[SafeString]
    assert TEXT not in html[str]


def test_fragment_without_placeholder_is_refused():
    with pytest.raises(ValueError, match="no child of plate has the id drawn-0"):
        element("plate", "div", "", "").with_children("", element("drawn-0", "b", "", "2"))


def test_parse_needs_an_id():
    with pytest.raises(ValueError, match="no element with an id first"):
        parse("<b>2</b>")
