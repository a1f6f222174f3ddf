from django.urls import path

from operators import views

urlpatterns = [
    path("about/", views.page, {"slug": "about"}, name="about"),
    path("terms/", views.page, {"slug": "terms"}, name="terms"),
    path("news/", views.news, name="news"),
    path("news/feed.xml", views.news_feed, name="news-feed"),
    path("invitation/<str:token>/", views.invitation, name="invitation"),
]
