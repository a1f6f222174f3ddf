"""The table of contents of the whole site."""

from django.contrib import admin
from django.urls import include, path

from dominoes_site import card_views, crawlers, embeds, manifest, offline, views

urlpatterns = [
    path("", include("api.urls")),
    path("", include("events.urls")),
    path("", include("lobbies.urls")),
    path("", include("nights.urls")),
    path("", include("notifications.urls")),
    path("", include("study.urls")),
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("", include("operators.urls")),
    path("accounts/", include("allauth.urls")),
    path("privacy/", views.privacy, name="privacy"),
    path("manifest.webmanifest", manifest.manifest, name="manifest"),
    path("sitemap.xml", crawlers.sitemap, name="sitemap"),
    path("robots.txt", crawlers.robots, name="robots"),
    path("favicon.ico", crawlers.favicon, name="favicon"),
    path(".well-known/security.txt", crawlers.security_txt, name="security-txt"),
    path(".well-known/change-password", crawlers.change_password, name="change-password"),
    path("card.png", card_views.card, name="card"),
    path("tables/<slug:code>/card.png", card_views.table_card, name="table-card"),
    path("daily/<slug:day>/card.png", card_views.daily_card, name="daily-card"),
    path("nights/<slug:code>/card.png", card_views.night_card, name="night-card"),
    path("nights/<slug:code>/podium.png", card_views.podium_png, name="night-podium"),
    path("players/<str:name>/card.png", card_views.profile_card, name="profile-card"),
    path("learn/puzzles/<int:pk>/card.png", card_views.puzzle_card, name="puzzle-card"),
    path("games/<slug:code>/board.svg", card_views.board_svg, name="board-svg"),
    path("games/<slug:code>/board.png", card_views.board_png, name="board-png"),
    path("sw.js", offline.service_worker, name="service-worker"),
    path("offline/", offline.offline, name="offline"),
    path("offline/plan.json", offline.plan, name="offline-plan"),
    path("offline/mine.json", offline.mine, name="offline-mine"),
    path("score/", offline.score, name="score"),
    path("verify/share", offline.share, name="verify-share"),
    path("embed.js", embeds.script, name="embed-script"),
    path("embed/games/<slug:code>/", embeds.replay, name="embed-replay"),
    path("embed/games/<slug:code>/frames.json", embeds.replay_frames, name="embed-frames"),
    path("embed/puzzles/<int:pk>/", embeds.puzzle, name="embed-puzzle"),
    path("healthz", views.healthz, name="healthz"),
    path("metrics", views.metrics, name="metrics"),
    path("admin/", admin.site.urls),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.not_found
handler500 = views.server_error
