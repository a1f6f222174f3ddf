"""Begin and end one's vacation."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.http import AuthenticatedHttpRequest
from core.http import SeeOther
from games import services


@require_POST
@login_required
def vacation(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Begin a vacation (`on` = 1) or end it (0)."""
    if request.POST.get("on", "1") == "0":
        services.end_vacation(request.user)
    elif not services.begin_vacation(request.user):
        messages.error(request, _("This year’s vacation is used up."))
    return SeeOther(f"{reverse('preferences')}#vacation")
