"""Draw the tile that stands for a person."""

from django import template

from accounts.drawing import draw_tile_of_parts, draw_tile_parts, name_tile

register = template.Library()
register.simple_tag(name_tile)
register.simple_tag(draw_tile_parts)
register.simple_tag(draw_tile_of_parts)
