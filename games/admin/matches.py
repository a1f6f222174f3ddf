"""The admin of matches and of pending rating recomputations."""

import json
import re
from collections.abc import Iterable
from typing import Any, cast, get_args

from django.contrib import admin, messages
from django.contrib.admin.utils import label_for_field
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts.admin.filters import HasValueFilter, RecentFilter
from accounts.models import User
from accounts.pools import POOLS
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.state import MatchEnding
from boneyard.engine.verification import Fault, verify
from core import numbers
from core.admin_rights import ReadOnly
from games import repository, wording
from games.admin.decisions import log_export, warn_of_left_out
from games.models import Match, Move, Rerating, Seat
from games.past.own_cases import exclude_matches_of_opponents, exclude_own_matches
from games.services import rerating, talk
from games.wording.record_faults import describe_fault
from operators.models import MAX_REASON_LENGTH

MOVE_FIELDS = ("number", "seat", "text", "claim", "at")
MAX_SEARCHED_PEOPLE = 100  # whose matches a search by the beginning of a name finds


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    fields = [
        "position",
        "name",
        "user",
        "kind",
        "level",
        "score",
        "won",
        "left",
        "before",
        "after",
    ]
    readonly_fields = ["before", "after"]

    @admin.display(description=gettext_lazy("rating before"))
    def before(self, seat: Seat) -> str:
        return "" if seat.rating_before is None else str(numbers.display_rating(seat.rating_before))

    @admin.display(description=gettext_lazy("rating after"))
    def after(self, seat: Seat) -> str:
        return "" if seat.rating_after is None else str(numbers.display_rating(seat.rating_after))


class UnorderedCount(Paginator):
    """A paginator that counts without the order: the database would sort all matches before."""

    @cached_property
    def count(self) -> int:
        return cast(QuerySet[Match], self.object_list).order_by().count()


class PresetColumn:
    @admin.display(description=gettext_lazy("game"), ordering="preset")
    def game(self, row: Any) -> str:
        # Rows of earlier and later releases may name a preset that this one does not know.
        return wording.preset_title(row.preset) if row.preset in PRESETS else row.preset


class PresetFilter(admin.SimpleListFilter):
    # Fixed choices, here and below: Django would scan all matches for the existing values.
    title = gettext_lazy("game")
    parameter_name = "preset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, wording.preset_title(name)) for name in PRESETS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(preset=self.value()) if self.value() else queryset


class ResultFilter(admin.SimpleListFilter):
    title = gettext_lazy("result")
    parameter_name = "result_how"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(how, wording.ending_name(how)) for how in get_args(MatchEnding)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(result_how=self.value()) if self.value() else queryset


class EndedFilter(RecentFilter):
    title = gettext_lazy("when it ended")
    parameter_name = "ended"
    field = "ended_at"


class NewestFirstChangeList(ChangeList):
    """A change list ordered by primary key only: any other order would sort a million rows."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Match]) -> list[str | Combinable]:
        return ["-pk"]


def _mark_names(text: str, names: Iterable[str]) -> SafeString:
    """Return a sentence in which no name is broken into two lines."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    pieces = re.split(f"({'|'.join(longest_first)})", text)
    words = '<span class="person-name">{}</span>'
    return format_html_join(
        "", "{}", ((format_html(words, piece) if place % 2 else piece,) for place, piece in enumerate(pieces))
    )


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["marked_code", "game", "names", "rated", "version", "began", "result"]
    show_facets = admin.ShowFacets.NEVER  # counting every filter of 100,000 matches takes seconds
    list_filter = [
        "status",
        PresetFilter,
        "rated",
        "private",
        ResultFilter,
        EndedFilter,
        ("rating_order", HasValueFilter),
        ("annulled_at", HasValueFilter),
    ]
    search_fields = ["code", "seats__user__username"]
    search_help_text = gettext_lazy("A match's code, or how a player's name begins")
    sortable_by = ()
    paginator = UnorderedCount
    show_full_result_count = False
    list_per_page = 50
    fields = [
        "page",
        "game",
        "rules_in_words",
        "rated",
        "private",
        ("clock_seconds", "clock_increment"),
        "seal",
        "entropy",
        ("status", "version", "next_action_at"),
        "result",
        ("started_at", "ended_at"),
        ("rating_order", "annulled_at"),
        "moves_made",
    ]
    readonly_fields = ["page", "game", "rules_in_words", "result", "moves_made"]
    inlines = [SeatInline]
    actions = ["verify", "export", "annul", "restore"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        """Leave out the moderator's own matches, which they may not annul, and those of open sets of deals."""
        matches = exclude_own_matches(super().get_queryset(request), cast(User, request.user))
        return matches.filter(concealed=False).prefetch_related("seats")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return NewestFirstChangeList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        """Search with indexes only; Django's own search joins every seat of every match."""
        for word in search_term.split():
            found = User.objects.filter(username__istartswith=word).values_list("pk", flat=True)
            people = list(found[: MAX_SEARCHED_PEOPLE + 1])
            if len(people) > MAX_SEARCHED_PEOPLE:
                said = _("Many names begin with %(word)s: only %(n)s of these people were searched.")
                messages.warning(request, said % {"word": word, "n": MAX_SEARCHED_PEOPLE})
            sat = Seat.objects.filter(user__in=people[:MAX_SEARCHED_PEOPLE]).values("match")
            queryset = queryset.filter(Q(code=word.lower()) | Q(pk__in=sat))
        return queryset, False

    @admin.display(description=gettext_lazy("players"))
    def names(self, match: Match) -> str:
        *others, last = [seat.display_name for seat in match.seats.all()]
        names = [*((f"{name},",) for name in others), (last,)]
        return format_html_join(" ", '<span class="person-name">{}</span>', names)

    @admin.display(description=gettext_lazy("game"))
    def game(self, match: Match) -> str:
        return wording.game_title(match.preset, match.rules, len(match.seats.all()), match.base_preset)

    @admin.display(description=gettext_lazy("code"))
    def marked_code(self, match: Match) -> str:
        return (
            format_html('<span class="is-annulled">{}</span>', match.code)
            if match.annulled_at
            else match.code
        )

    @admin.display(description=gettext_lazy("began"))
    def began(self, match: Match) -> str:
        return date_format(localtime(match.started_at), "SHORT_DATETIME_FORMAT")

    @admin.display(description=gettext_lazy("result"))
    def result(self, match: Match) -> str:
        if match.playing:
            return str(Match.Status.PLAYING.label)
        outcome = _mark_names(match.outcome, [seat.display_name for seat in match.seats.all()])
        if not match.annulled_at:
            return outcome
        mark = '<span class="is-annulled">{}</span> <b class="desk-mark">{}</b>'
        return format_html(mark, outcome, _("annulled"))

    @admin.display(description=gettext_lazy("rules"))
    def rules_in_words(self, match: Match) -> str:
        sentences = wording.describe_rules(Rules.from_dict(match.rules), len(match.seats.all()))
        return " ".join(sentence.text for sentence in sentences)

    @admin.display(description=gettext_lazy("moves"))
    def moves_made(self, match: Match) -> str:
        """Return the moves as a table; as forms, those of a long match would take a second."""
        columns = [capfirst(str(label_for_field(name, Move))) for name in MOVE_FIELDS]
        head = format_html_join("", '<th scope="col">{}</th>', ((name,) for name in columns))
        moves = match.moves.order_by("number").values_list(*MOVE_FIELDS)
        rows = (
            (
                number,
                seat,
                text,
                "" if claim is None else claim,
                date_format(localtime(at), "SHORT_DATETIME_FORMAT"),
            )
            for number, seat, text, claim, at in moves
        )
        cells = format_html_join("", "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>", rows)
        words = '<table class="desk-table" id="moves"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>'
        return format_html(words, head, cells)

    @admin.display(description=gettext_lazy("page"))
    def page(self, match: Match) -> str:
        return format_html(
            '<a href="{}">{}</a> · <a href="{}">{}</a>',
            match.get_absolute_url(),
            match.code,
            reverse("admin:games_match_case", args=[match.pk]),
            _("Case"),
        )

    def has_annul_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_match")

    @admin.action(description=gettext_lazy("Verify the records"), permissions=["view"])
    def verify(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        for match in chosen:
            if match.playing:
                messages.warning(request, _("%(code)s is still being played.") % {"code": match.code})
                continue
            try:
                verify(repository.build_record(match))
            except Fault as fault:
                messages.error(request, f"{match.code}: {describe_fault(fault)}")
            else:
                messages.success(
                    request, _("%(code)s agrees with its rules and seal.") % {"code": match.code}
                )

    @admin.action(description=gettext_lazy("Export the records of finished matches"), permissions=["view"])
    def export(self, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse:
        """Send the records, one line each, as `manage.py export_records` writes them."""
        finished = chosen.filter(status=Match.Status.FINISHED, concealed=False)
        lines = [json.dumps(repository.build_record(match)) + "\n" for match in finished]
        log_export(request, [match.code for match in finished])
        headers = {"Content-Disposition": 'attachment; filename="matches.jsonl"'}
        return HttpResponse(lines, content_type="application/x-ndjson", headers=headers)

    @admin.action(description=gettext_lazy("Annul, with the ratings undone…"), permissions=["annul"])
    def annul(self, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse | None:
        """Show what annulling the matches would change; with `sure`, do it."""
        chosen = self._leave_out_opponents(request, chosen)
        if "sure" not in request.POST:
            return self._render_preview(request, list(chosen))
        reason = talk.clean_text(request.POST.get("why", ""), MAX_REASON_LENGTH)
        annulled = pgettext("in the log", "annulled")
        for match in chosen:
            if match.playing or match.annulled_at:
                messages.warning(
                    request, _("%(code)s is not a finished match that counts.") % {"code": match.code}
                )
                continue
            rerating.annul(match)
            self.log_change(request, match, f"{annulled}: {reason}")
            messages.success(
                request,
                _("%(code)s is annulled. The ratings are being computed again.") % {"code": match.code},
            )

        return None

    def _leave_out_opponents(self, request: HttpRequest, chosen: QuerySet[Match]) -> QuerySet[Match]:
        decided = exclude_matches_of_opponents(chosen, cast(User, request.user))
        warn_of_left_out(request, chosen.count() - decided.count())
        return decided

    def _render_preview(self, request: HttpRequest, matches: list[Match]) -> HttpResponse:
        counting = [match for match in matches if not (match.playing or match.annulled_at)]
        previews = rerating.preview_annulment(counting)
        people = User.objects.in_bulk([preview.user_id for preview in previews])
        context = self.admin_site.each_context(request) | {
            "title": _("Annul matches"),
            "matches": counting,
            "ratings": [(people[preview.user_id], preview) for preview in previews],
            "back": reverse("admin:games_match_changelist"),
            "opts": self.opts,
        }
        return render(request, "admin/games/annulment.html", context)

    @admin.action(description=gettext_lazy("Let annulled matches count again"), permissions=["annul"])
    def restore(self, request: HttpRequest, chosen: QuerySet[Match]) -> None:
        for match in self._leave_out_opponents(request, chosen.exclude(annulled_at=None)):
            rerating.restore(match)
            self.log_change(request, match, pgettext("in the log", "counts again"))
            messages.success(
                request,
                _("%(code)s counts again. The ratings are being computed again.") % {"code": match.code},
            )


@admin.register(Rerating)
class ReratingAdmin(ReadOnly, admin.ModelAdmin):
    """The progress of pending rating recomputations."""

    list_display = ["pool_name", "asked_at", "state", "done", "total", "taken_at", "owner"]

    @admin.display(description=gettext_lazy("pool"), ordering="pool")
    def pool_name(self, pending: Rerating) -> str:
        return str(dict(POOLS).get(pending.pool, pending.pool))

    @admin.display(description=gettext_lazy("what happens"))
    def state(self, pending: Rerating) -> str:
        if pending.taken_at is not None and pending.taken_at < timezone.now() - rerating.LEASE_TTL:
            return _("the process is silent; another one takes over")
        return pending.get_phase_display()
