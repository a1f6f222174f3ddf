from django.urls import path

from games.views import conditional_moves, match, overlay, past_round, people, replay, rules, vacation

urlpatterns = [
    path("games/<slug:code>/", match.match_page, name="match"),
    path("games/<slug:code>/move", match.move, name="match-move"),
    path("games/<slug:code>/absent", match.absent, name="match-absent"),
    path("games/<slug:code>/prod", match.prod, name="match-prod"),
    path("games/<slug:code>/continue", match.continue_match, name="match-continue"),
    path("games/<slug:code>/say", match.say, name="match-say"),
    path("games/<slug:code>/emote", match.emote, name="match-emote"),
    path("games/<slug:code>/report", match.report, name="match-report"),
    path("games/<slug:code>/sync", match.sync, name="match-sync"),
    path("games/<slug:code>/rounds/<int:number>/", past_round.past_round, name="match-round"),
    path("games/<slug:code>/plan/", conditional_moves.conditional_moves, name="match-plan"),
    path("games/<slug:code>/state.json", match.state, name="match-state"),
    path("games/<slug:code>/record.json", match.record, name="match-record"),
    path("games/<slug:code>/overlay/", overlay.overlay, name="match-overlay"),
    path("games/<slug:code>/replay/", replay.replay, name="match-replay"),
    path("games/<slug:code>/verify/", replay.verify, name="match-verify"),
    path("fairness/", replay.fairness, name="fairness"),
    path("players/<str:name>/report", people.report, name="report"),
    path("players/<str:name>/", people.profile, name="profile"),
    path("vacation/", vacation.vacation, name="vacation"),
    path("archive/", people.archive, name="archive"),
    path("rules/", rules.rules, name="rules"),
    path("rules/computers/", rules.computers, name="computers"),
    path("rules/elo/", rules.elo, name="rules-elo"),
    path("rules/<slug:preset>/", rules.preset, name="rules-preset"),
]
