from allauth.account.views import password_change, password_set, signup
from allauth.mfa.base.views import authenticate
from allauth.mfa.totp.views import activate_totp
from allauth.mfa.webauthn.views import login_webauthn, reauthenticate_webauthn
from django.urls import path

from accounts import passkeys, views
from accounts.passkey_states import keep_states

urlpatterns = [
    path("accounts/guest/", views.guest, name="guest"),
    path("accounts/export/", views.export, name="account-export"),
    path("accounts/delete/", views.delete, name="account-delete"),
    path("accounts/signup/", views.redirect_page(signup), name="account_signup"),
    # allauth's views that make no sense for a guest; they must come before allauth.urls.
    path("accounts/email/", views.addresses, name="account_email"),
    path(
        "accounts/password/change/",
        views.players_only(password_change),
        name="account_change_password",
    ),
    path("accounts/password/set/", views.players_only(password_set), name="account_set_password"),
    path("accounts/2fa/totp/activate/", views.players_only(activate_totp), name="mfa_activate_totp"),
    path(
        "accounts/2fa/webauthn/add/",
        keep_states(views.players_only(passkeys.AddPasskeyView.as_view())),
        name="mfa_add_webauthn",
    ),
    path("accounts/2fa/webauthn/login/", keep_states(login_webauthn), name="mfa_login_webauthn"),
    path("accounts/2fa/authenticate/", keep_states(authenticate), name="mfa_authenticate"),
    path(
        "accounts/2fa/webauthn/reauthenticate/",
        keep_states(reauthenticate_webauthn),
        name="mfa_reauthenticate_webauthn",
    ),
    path("accounts/2fa/webauthn/keys/<int:pk>/remove/", passkeys.remove, name="mfa_remove_webauthn"),
    path("accounts/signup/passkey/", passkeys.sign_up, name="passkey-signup"),
    path("language/", views.language, name="set_language"),
    path("preferences/", views.preferences, name="preferences"),
    path("players/", views.players, name="players"),
    path("players/<str:name>/follow", views.relate, {"kind": "follow"}, name="follow"),
    path("players/<str:name>/block", views.relate, {"kind": "block"}, name="block"),
    path("players/<str:name>/mute", views.relate, {"kind": "mute"}, name="mute"),
    path("leaderboard/", views.all_leaderboards, name="leaderboard"),
    path("leaderboard/<slug:pool>/", views.leaderboard_pool, name="leaderboard-pool"),
]
