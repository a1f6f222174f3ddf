"""Pages about people's matches: the profile and the archive."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import Rating, RatingChange, User
from accounts.pools import POOLS
from games import finished
from games.engine.presets import PRESETS
from games.graphs import rating_graph
from games.wording import preset_title

GRAPHED = 200  # the latest changes of a pool


def _any(choices: list[tuple]) -> list[tuple]:
    return [("", gettext_lazy("any")), *choices]


class MatchesForm(forms.Form):
    """What to look for among one player's finished matches."""

    against = forms.CharField(label=gettext_lazy("Against"), max_length=150, required=False)
    preset = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    how = forms.ChoiceField(
        label=gettext_lazy("Ended by"),
        required=False,
        choices=_any(
            [
                ("target", gettext_lazy("reaching the target")),
                ("rounds", gettext_lazy("the last round")),
                ("resigned", gettext_lazy("resigning")),
                ("time", gettext_lazy("the clock")),
                ("left", gettext_lazy("leaving")),
                ("aborted", gettext_lazy("being called off")),
            ]
        ),
    )
    result = forms.ChoiceField(
        label=gettext_lazy("Result"),
        required=False,
        choices=_any([("won", gettext_lazy("won")), ("lost", gettext_lazy("lost"))]),
    )
    rated = forms.ChoiceField(
        label=gettext_lazy("Rated"),
        required=False,
        choices=_any([("yes", gettext_lazy("rated")), ("no", gettext_lazy("casual"))]),
    )
    since = forms.DateField(
        label=gettext_lazy("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=gettext_lazy("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["preset"].choices = _any(
            [(name, preset_title(name)) for name in PRESETS] + [("house", _("house rules"))]
        )

    def clean(self) -> dict:
        cleaned = super().clean()
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            self.add_error("until", _("The last day is before the first."))
        return cleaned


class ArchiveForm(MatchesForm):
    """The same among everybody's."""

    player = forms.CharField(label=gettext_lazy("Player"), max_length=150, required=False)
    field_order = ["player"]

    def clean(self) -> dict:
        cleaned = super().clean()
        if cleaned.get("result") and not cleaned.get("player"):
            self.add_error("result", _("Name the player whose result it is."))
        return cleaned


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    form = ArchiveForm(request.GET)
    found = None
    if form.is_valid():
        found = finished.page(finished.Search(**form.cleaned_data), request.GET.get("after", ""))
    return render(
        request, "games/archive.html", {"form": form, "page": found, "query": _query_without_page(request)}
    )


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    person = get_object_or_404(User, username__iexact=name, is_active=True)
    form = MatchesForm(request.GET)
    search = finished.Search(player=person.username, **(form.cleaned_data if form.is_valid() else {}))
    me = request.user
    return render(
        request,
        "games/profile.html",
        {
            "person": person,
            "standings": _standings(person),
            "tally": finished.tally(person),
            "head_to_head": finished.head_to_head(me, person)
            if me.is_authenticated and me != person
            else None,
            "form": form,
            "page": finished.page(search, request.GET.get("after", "")),
            "query": _query_without_page(request),
        },
    )


def _standings(person: User) -> list[dict]:
    """Each pool in which the person has been rated, with the graph and its table, the latest change first."""
    titles = dict(POOLS)
    standings = []
    for rating in Rating.objects.filter(user=person, matches__gt=0).order_by("-matches"):
        changes = list(RatingChange.objects.filter(rating=rating).order_by("-order")[:GRAPHED])
        points = [(change.at, change.after) for change in reversed(changes)]
        title = titles[rating.pool]
        graph = rating_graph(points, _("Rating in %(game)s over time") % {"game": title}) if points else ""
        standings.append({"rating": rating, "title": title, "graph": graph, "changes": changes})
    return standings


def _query_without_page(request: HttpRequest) -> str:
    query = request.GET.copy()
    query.pop("after", None)
    return query.urlencode()
