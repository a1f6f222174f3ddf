from django.urls import path

from games import people_views, replay_views, rules_views, views

urlpatterns = [
    path("games/<slug:code>/", views.match_page, name="match"),
    path("games/<slug:code>/move", views.move, name="match-move"),
    path("games/<slug:code>/absent", views.absent, name="match-absent"),
    path("games/<slug:code>/continue", views.wave_on, name="match-continue"),
    path("games/<slug:code>/say", views.say, name="match-say"),
    path("games/<slug:code>/report", views.report, name="match-report"),
    path("games/<slug:code>/sync", views.sync, name="match-sync"),
    path("games/<slug:code>/state.json", views.state, name="match-state"),
    path("games/<slug:code>/record.json", views.record, name="match-record"),
    path("games/<slug:code>/replay/", replay_views.replay, name="match-replay"),
    path("games/<slug:code>/verify/", replay_views.verify, name="match-verify"),
    path("fairness/", replay_views.fairness, name="fairness"),
    path("players/<str:name>/", people_views.profile, name="profile"),
    path("archive/", people_views.archive, name="archive"),
    path("rules/", rules_views.rules, name="rules"),
    path("rules/<slug:preset>/", rules_views.preset, name="rules-preset"),
]
