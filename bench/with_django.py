"""Set up Django: to be imported before the browser tests' helpers, which import models."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
django.setup()
