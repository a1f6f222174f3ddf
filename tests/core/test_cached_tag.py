"""What everybody who reads in one language sees alike is made once, and is nobody's own."""

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.utils.translation import override

GREETING = Template("{% load i18n cached %}{% cached %}{% translate 'Play' %} {{ name }}{% endcached %}")
PLACE = Template(
    "{% load cached %}{% cached here=here %}{% if here == 'lobby' %}at home{% else %}away{% endif %}{% endcached %}"
)


def test_a_part_shows_nothing_of_the_page_that_came_first():
    assert [GREETING.render(Context({"name": name})) for name in ("alice", "bob")] == ["Play ", "Play "]


def test_each_language_has_a_part_of_its_own():
    with override("es"):
        assert GREETING.render(Context()) == "Jugar "
    assert GREETING.render(Context()) == "Play "


def test_a_part_is_another_where_what_is_named_differs():
    places = ("lobby", "watch", "lobby")
    assert [PLACE.render(Context({"here": here})) for here in places] == ["at home", "away", "at home"]


def test_a_part_is_made_once():
    asked = []

    class Name:
        def __str__(self) -> str:
            asked.append(self)
            return "alice"

    page, about = Template("{% load cached %}{% cached name=name %}{{ name }}{% endcached %}"), {"name": Name()}
    assert [page.render(Context(about)) for _ in range(3)] == ["alice"] * 3
    assert len(asked) == 1


def test_what_a_part_depends_on_has_a_name():
    with pytest.raises(TemplateSyntaxError):
        Template("{% load cached %}{% cached here %}{% endcached %}")
