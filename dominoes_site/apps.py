from django.contrib.admin import apps


class AdminConfig(apps.AdminConfig):
    default = False  # for the admin, not for this app
    default_site = "dominoes_site.admin.Admin"
