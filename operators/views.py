"""The operator's pages, news and invitations."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.languages import get_requested_language
from operators import invitations, pages
from operators.models import News
from operators.site_settings import get_site
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


@require_safe
def news_feed(request: HttpRequest) -> HttpResponse:
    """Send the news as Atom (RFC 4287), in `?lang=` or the reader's language."""
    language = get_requested_language(request)
    address = request.build_absolute_uri(reverse("news"))
    with override(language):
        name = get_site().name
        own = request.build_absolute_uri()
        description = _("What is new on this site.")
        feed = Atom1Feed(name, address, description, language, author_name=name, feed_url=own)
        for entry in News.objects.filter(at__lte=timezone.now())[:MAX_NEWS]:
            feed.add_item(
                choose_text(entry.title),
                address,
                str(pages.render_markdown(choose_text(entry.body))),
                pubdate=entry.at,
                updateddate=entry.at,
                unique_id=f"{address}#{entry.pk}",
            )
        return HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


@never_cache
@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Remember a valid invitation and show the sign-up form."""
    if fault := invitations.find_fault(token):
        return render(request, "operators/invitation_invalid.html", {"fault": fault}, status=404)
    request.session[invitations.SESSION_KEY] = token
    return redirect("account_signup")
