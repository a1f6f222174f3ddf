from django.urls import path

from notifications import views

urlpatterns = [
    path("notifications/", views.notifications, name="notifications"),
    path("notifications/key", views.push_key, name="push-key"),
    path("notifications/subscribe", views.subscribe, name="subscribe"),
    path("notifications/check", views.check, name="push-check"),
    path("notifications/test", views.send_test, name="push-test"),
    path("notifications/unsubscribe", views.unsubscribe, name="unsubscribe"),
    path("notifications/calendar", views.renew_calendar, name="calendar-renew"),
    path("notifications/<int:pk>/", views.notice, name="notice"),
    path("calendar/<str:token>.ics", views.calendar, name="calendar"),
]
