from django.urls import path, re_path

from events import views

_DAY = r"^daily/(?P<day>\d{4}-\d{2}-\d{2})"

urlpatterns = [
    path("daily/", views.today, name="daily"),
    path("daily/start", views.start, name="daily-start"),
    re_path(rf"{_DAY}/$", views.day, name="daily-day"),
    path("daily/boards/", views.leaderboards, name="daily-boards"),
    re_path(rf"{_DAY}/(?P<number>\d)/$", views.round_page, name="daily-round"),
    re_path(rf"{_DAY}\.json$", views.day_json, name="daily-json"),
    re_path(rf"{_DAY}/practice$", views.practise, name="daily-practice"),
]
