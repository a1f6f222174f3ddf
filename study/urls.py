from django.urls import path

from study import views

urlpatterns = [
    path("games/<slug:code>/analysis", views.analyse, name="analyse"),
    path("games/<slug:code>/analysis/", views.analysis_page, name="analysis"),
    path("games/<slug:code>/analysis.json", views.analysis_json, name="analysis-json"),
    path("games/<slug:code>/hint", views.hint, name="match-hint"),
    path("fairness/numbers/", views.numbers, name="fairness-numbers"),
    path("fairness/chain.txt", views.chain, name="fairness-chain"),
    path("fairness/seals.txt", views.chain, name="fairness-seals"),
    path("fairness/restores.txt", views.restores, name="fairness-restores"),
    path("fairness/checkpoint", views.checkpoint, name="fairness-checkpoint"),
    path("learn/", views.learn, name="learn"),
    path("learn/count/", views.count, name="learn-count"),
    path("learn/hold/", views.hold, name="learn-hold"),
    path("learn/puzzles/", views.puzzles_page, name="puzzles"),
    path("learn/rush/", views.rush, name="rush"),
    path("learn/puzzles/<int:pk>/", views.puzzle, name="puzzle"),
    path("learn/<slug:slug>/<int:number>/", views.lesson, name="lesson"),
    path("verify/", views.verify, name="verify"),
    path("verify/offline", views.verify_offline, name="verify-offline"),
]
