from django.urls import path

from api import views

urlpatterns = [
    path("api/", views.page, name="api"),
    path("api/openapi.json", views.openapi, name="api-openapi"),
    path("accounts/bot", views.bot, name="become-bot"),
    path("preferences/tokens/", views.token_list, name="tokens"),
    path("preferences/tokens/<int:pk>/revoke", views.revoke, name="token-revoke"),
]
