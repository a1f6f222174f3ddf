from django.urls import path

from lobbies import matchmaking, site_game_pages, views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("company/", views.company, name="company"),
    path("strip/", views.strip_fragment, name="strip"),
    path("watch/", views.watch, name="watch"),
    path("tables/new", views.new_table, name="table-new"),
    path("tables/new/preview", views.preview, name="table-preview"),
    path("tables/<slug:code>/", views.table, name="table"),
    path("tables/<slug:code>/go", views.follow, name="table-go"),
    path("tables/<slug:code>/still", views.poll_waiting_table, name="table-poll"),
    path("tables/<slug:code>/sit", views.sit, name="table-sit"),
    path("tables/<slug:code>/computers", views.computers, name="table-computers"),
    path("tables/<slug:code>/leave", views.leave, name="table-leave"),
    path("tables/<slug:code>/commit", views.commit, name="table-commit"),
    path("tables/<slug:code>/nonce", views.nonce, name="table-nonce"),
    path("tables/<slug:code>/rematch", matchmaking.rematch, name="table-rematch"),
    path("tables/<slug:code>/decline", matchmaking.decline, name="table-decline"),
    path("rules/site/<slug:slug>/", site_game_pages.page, name="site-game"),
    path("rules/site/<slug:slug>/play", site_game_pages.play, name="site-game-play"),
    path("players/<str:name>/challenge", matchmaking.challenge, name="challenge"),
    path("play/", matchmaking.quick_play, name="quick-play-any"),
    path("play/<slug:preset>/", matchmaking.quick_play, name="quick-play"),
]
