"""The operator's pages, news and invitations."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from operators import invitations, pages
from operators.models import News
from operators.translated import choose_text

MAX_NEWS = 30


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "operators/page.html", {"page": pages.load_page(slug)})


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    entries = [
        (entry.at, choose_text(entry.title), pages.render_markdown(choose_text(entry.body)))
        for entry in News.objects.filter(at__lte=timezone.now())[:MAX_NEWS]
    ]
    return render(request, "operators/news.html", {"entries": entries})


@never_cache
@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Remember a valid invitation and show the sign-up form."""
    if not invitations.find_valid(token).exists():
        return render(request, "operators/invitation_invalid.html", status=404)
    request.session[invitations.SESSION_KEY] = token
    return redirect("account_signup")
