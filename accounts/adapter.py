from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import messages
from django.contrib.auth import get_user_model, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up turns a guest into a player in place, so that the matches stay theirs."""

    def new_user(self, request: HttpRequest):
        if request.user.is_authenticated and request.user.is_guest:
            return get_user_model().objects.get(pk=request.user.pk)
        return super().new_user(request)

    def save_user(self, request: HttpRequest, user, form, commit: bool = True):
        user.is_guest = False
        return super().save_user(request, user, form, commit)

    def pre_login(self, request: HttpRequest, user, **kwargs) -> HttpResponse | None:
        if user.banned:
            messages.error(
                request,
                _("This account is closed: %(reason)s") % {"reason": user.banned_reason or _("banned")},
            )
            return HttpResponseRedirect(reverse("account_login"))
        return super().pre_login(request, user, **kwargs)

    def respond_user_inactive(self, request: HttpRequest, user) -> HttpResponse:
        logout(request)
        messages.error(request, _("This account is closed."))
        return HttpResponseRedirect(reverse("account_login"))
