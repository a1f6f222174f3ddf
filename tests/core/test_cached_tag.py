"""The template tag `cached`."""

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.utils.translation import override

GREETING = Template("{% load i18n cached %}{% cached %}{% translate 'Play' %} {{ name }}{% endcached %}")
PLACE = Template(
    "{% load cached %}{% cached here=here %}{% if here == 'lobby' %}at home{% else %}away{% endif %}{% endcached %}"
)


def test_cached_block_does_not_see_page_context():
    assert [GREETING.render(Context({"name": name})) for name in ("alice", "bob")] == ["Play ", "Play "]


def test_block_is_cached_per_language():
    with override("es"):
        assert GREETING.render(Context()) == "Jugar "
    assert GREETING.render(Context()) == "Play "


def test_block_is_cached_per_variable():
    places = ("lobby", "watch", "lobby")
    assert [PLACE.render(Context({"here": here})) for here in places] == ["at home", "away", "at home"]


def test_block_is_rendered_once():
    asked = []

    class Name:
        def __str__(self) -> str:
            asked.append(self)
            return "alice"

    page, about = (
        Template("{% load cached %}{% cached name=name %}{{ name }}{% endcached %}"),
        {"name": Name()},
    )
    assert [page.render(Context(about)) for _ in range(3)] == ["alice"] * 3
    assert len(asked) == 1


def test_positional_argument_is_refused():
    with pytest.raises(TemplateSyntaxError):
        Template("{% load cached %}{% cached here %}{% endcached %}")
