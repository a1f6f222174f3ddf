from django.urls import path

from accounts import views

urlpatterns = [
    path("accounts/guest/", views.guest, name="guest"),
    path("accounts/export/", views.export, name="account-export"),
    path("accounts/delete/", views.delete, name="account-delete"),
    path("preferences/", views.preferences, name="preferences"),
    path("leaderboard/", views.leaderboards, name="leaderboard"),
    path("leaderboard/<slug:pool>/", views.leaderboard_pool, name="leaderboard-pool"),
]
