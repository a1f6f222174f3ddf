"""The table of contents of the whole site."""

from django.contrib import admin
from django.urls import include, path

from dominoes_site import views

urlpatterns = [
    path("", include("events.urls")),
    path("", include("lobbies.urls")),
    path("", include("study.urls")),
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("privacy/", views.privacy, name="privacy"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("healthz", views.healthz, name="healthz"),
    path("metrics", views.metrics, name="metrics"),
    path("admin/", admin.site.urls),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.not_found
handler500 = views.server_error
