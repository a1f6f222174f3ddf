from django.urls import path

from operators import views

urlpatterns = [
    path("about/", views.page, {"slug": "about"}, name="about"),
    path("terms/", views.page, {"slug": "terms"}, name="terms"),
    path("news/", views.news, name="news"),
    path("invitation/<str:token>/", views.invitation, name="invitation"),
]
