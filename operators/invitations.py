"""Sign up by invitation: a link with a number of uses, remembered in the session until it is used."""

from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from operators.models import Invitation, SiteSettings
from operators.site_settings import get_site

SESSION_KEY = "invitation"


def may_sign_up(request: HttpRequest) -> bool:
    """Return whether registration is open to this visitor."""
    registration = get_site().registration
    if registration == SiteSettings.Registration.INVITATION:
        return find_valid(request.session.get(SESSION_KEY, "")).exists()
    return registration == SiteSettings.Registration.OPEN


def find_valid(token: str) -> QuerySet[Invitation]:
    """Return the invitation of this token if somebody may still use it."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return Invitation.objects.filter(unexpired, token=token, used__lt=F("uses"))


def find_fault(token: str) -> str:
    """Return why nobody can use this token: "unknown", "expired" or "used_up"; "" if somebody can."""
    invitation = Invitation.objects.filter(token=token).first()
    if invitation is None:
        return "unknown"
    if invitation.expires_at and invitation.expires_at <= timezone.now():
        return "expired"
    return "used_up" if invitation.used >= invitation.uses else ""


def use(request: HttpRequest) -> bool:
    """Count one use of the visitor's invitation, if one is needed; return False if it has just run out."""
    if get_site().registration != SiteSettings.Registration.INVITATION:
        return True
    is_used = find_valid(request.session.get(SESSION_KEY, "")).update(used=F("used") + 1) == 1
    if is_used:
        del request.session[SESSION_KEY]  # kept otherwise: the sign-up page then says why
    return is_used
