from django.urls import path

from nights.views import acts, pages, results

urlpatterns = [
    path("nights/", pages.index, name="nights"),
    path("nights/new", pages.new, name="night-new"),
    path("nights/<slug:code>/", pages.night, name="night"),
    path("nights/<slug:code>/next/", pages.following, name="night-next"),
    path("nights/<slug:code>/wall/", pages.wall, name="night-wall"),
    path("nights/<slug:code>/sheets/", pages.sheets, name="night-sheets"),
    path("nights/<slug:code>/night.json", pages.night_json, name="night-json"),
    path("nights/<slug:code>/draws.json", pages.draws_json, name="night-draws"),
    path("nights/<slug:code>/me/<slug:secret>/", pages.me, name="night-me"),
    path("nights/<slug:code>/me/<slug:secret>/claim", pages.claim, name="night-claim"),
    path("nights/<slug:code>/me/<slug:secret>/enter/", results.enter_own, name="night-enter"),
    path("nights/<slug:code>/table/<int:table>/<slug:table_code>/", results.enter_table, name="night-table"),
    path("nights/<slug:code>/result", results.result, name="night-result"),
    path("nights/<slug:code>/confirm", results.confirm, name="night-confirm"),
    path("nights/<slug:code>/people", acts.people, name="night-people"),
    path("nights/<slug:code>/open", acts.open_to_people, name="night-open"),
    path("nights/<slug:code>/entry", acts.entry, name="night-entry"),
    path("nights/<slug:code>/directors", acts.directors, name="night-directors"),
    path("nights/<slug:code>/draw", acts.draw, name="night-draw"),
    path("nights/<slug:code>/undo", acts.undo, name="night-undo"),
    path("nights/<slug:code>/swap", acts.swap, name="night-swap"),
    path("nights/<slug:code>/absent", acts.absent, name="night-absent"),
    path("nights/<slug:code>/replace", acts.replace, name="night-replace"),
    path("nights/<slug:code>/close", acts.close, name="night-close"),
    path("nights/<slug:code>/finish", acts.finish, name="night-finish"),
    path("nights/<slug:code>/cancel", acts.cancel, name="night-cancel"),
]
