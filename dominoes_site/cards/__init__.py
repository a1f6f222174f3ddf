"""Pictures for link previews: the site's own SVG, rendered to PNG by resvg."""
