from django.urls import path

from study import views

urlpatterns = [
    path("games/<slug:code>/analysis", views.analyse, name="analyse"),
    path("games/<slug:code>/analysis/", views.analysis_page, name="analysis"),
    path("games/<slug:code>/analysis.json", views.analysis_json, name="analysis-json"),
    path("verify/", views.verify, name="verify"),
    path("verify/offline", views.verify_offline, name="verify-offline"),
]
