"""Set the site's settings in a test."""

from operators import site_settings
from operators.models import SiteSettings


def configure(**values):
    site = SiteSettings(**values)
    site.save()
    site_settings.cache(site, 600)
    return site
