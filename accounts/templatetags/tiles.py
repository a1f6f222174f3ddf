"""Draw the tile that stands for a person."""

from django import template

from accounts.drawing import name_tile

register = template.Library()
register.simple_tag(name_tile)
