"""Rows of the admin's lists with the headings of their columns, for narrow screens."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

register = template.Library()
EMPTY_CELL_END = ">-</td>"
TAG_LENGTH = len("<td")


@register.filter
def with_headings(cells: Iterable[str], headers: Iterable[Mapping[str, Any]]) -> SafeString:
    """Join the cells of a row, each with the heading of its column."""
    headings = [header["text"] for header in headers]
    labelled = [_label(cell, heading) for cell, heading in zip(cells, headings, strict=False)]
    return mark_safe("".join(labelled))  # noqa: S308  Django's own cells, with escaped headings


def _label(cell: str, heading: str) -> str:
    if "<" in heading:  # the box that chooses all rows
        return cell
    empty = mark_safe(" data-empty") if cell.endswith(EMPTY_CELL_END) else ""
    label = format_html(' data-label="{}"{}', capfirst(heading), empty)
    return f"{cell[:TAG_LENGTH]}{label}{cell[TAG_LENGTH:]}"
