"""The actions on cases: sanctions, annulments, notes, reports and lines; each is checked, done and logged."""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any, ClassVar, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts import conduct, personal
from accounts.models import Sanction, User
from accounts.moderators import may_decide
from core.numbers import parse_whole_number
from games import services
from games.admin.decisions import close_reports, find_case_reports, find_reports, log
from games.models import Match, Report, Talk
from games.past.desk import find_assignees
from games.past.own_cases import (
    exclude_matches_of_opponents,
    exclude_own_reports,
    exclude_own_talk,
    exclude_reports_of_opponents,
)
from games.services import rerating, talk
from operators import reasons
from operators.models import MAX_REASON_LENGTH

MAX_NOTE_CHARACTERS = 1000
BUTTONS = {
    Sanction.Kind.WARNING: gettext_lazy("Warn"),
    Sanction.Kind.MUTE: gettext_lazy("Mute"),
    Sanction.Kind.UNRATED: gettext_lazy("Bar from rated play"),
    Sanction.Kind.BAN: gettext_lazy("Ban"),
}
Answer = HttpResponse | None  # None: back to the case


class CaseActions(admin.ModelAdmin):
    """The handlers of what a POST to a case names."""

    def _render(self, request: HttpRequest, template: str, **context: Any) -> HttpResponse:
        shared = self.admin_site.each_context(request) | {"opts": self.opts}
        return render(request, template, shared | context)

    def _handle_post(
        self,
        request: HttpRequest,
        subject: User | Match,
        actions: dict[str, tuple[str, Callable[..., Answer]]],
    ) -> Answer:
        name = next((name for name in actions if name in request.POST), "")
        permission, handler = actions.get(name, ("", None))
        may_act = not isinstance(subject, User) or may_decide(request.user, subject)
        if handler is None or not request.user.has_perm(permission) or not may_act:
            raise PermissionDenied
        with transaction.atomic():
            return handler(self, request, subject)

    # Sanctions

    def _impose(
        self, request: HttpRequest, person: User, kind: Sanction.Kind, match: Match | None = None
    ) -> Answer:
        """Impose a sanction with the chosen reason; close the open reports about the person, and about `match`.

        A ban is asked for once more, with what it will do, unless `sure` is sent.
        """
        chosen = parse_whole_number(request.POST.get("template", ""))
        own_words = talk.clean_text(request.POST.get("reason", ""), MAX_REASON_LENGTH)
        reason = own_words or reasons.find_reason(chosen, person.language)
        hours = parse_whole_number(request.POST.get("hours", "")) or 0
        if not reason:
            messages.error(request, _("Choose a reason, or write one."))
            return None
        has_term = kind != Sanction.Kind.WARNING and not (kind == Sanction.Kind.BAN and hours == 0)
        if has_term and hours not in dict(conduct.SANCTION_TERMS):
            messages.error(request, _("Choose for how long."))
            return None
        if kind == Sanction.Kind.BAN and "sure" not in request.POST:
            return self._ask_about_ban(request, person, reason, hours, match)
        sanction = conduct.impose(
            person,
            kind,
            by=cast(User, request.user),
            reason=reason,
            until=timezone.now() + timedelta(hours=hours) if has_term else None,
            appeal=talk.clean_text(request.POST.get("appeal", ""), MAX_REASON_LENGTH),
        )
        log(request, person, f"{sanction.in_words} {reason}")
        closed = close_reports(request, find_reports(person, match), Report.Outcome.ACTED, reason)
        messages.success(
            request,
            _("%(what)s – done. Reports answered: %(n)s.") % {"what": BUTTONS[kind], "n": closed},
        )
        return None

    def _ask_about_ban(
        self, request: HttpRequest, person: User, reason: str, hours: int, match: Match | None
    ) -> HttpResponse:
        """Show what a ban would do, with a button that does it."""
        terms = dict([conduct.UNTIL_LIFTED, *conduct.SANCTION_TERMS])
        return self._render(
            request,
            "admin/games/ban.html",
            title=_("Ban %(name)s?") % {"name": person.username},
            person=person,
            match=match,
            reason=reason,
            term=terms[hours],
            hours=hours,
            appeal=talk.clean_text(request.POST.get("appeal", ""), MAX_REASON_LENGTH),
            playing=Match.objects.filter(seats__user=person, status=Match.Status.PLAYING).count(),
            ranks=person.ratings.filter(ranked=True).count(),
            answered=find_reports(person, match).filter(handled_at=None).count(),
        )

    def _impose_in_match(self, request: HttpRequest, match: Match, *, kind: Sanction.Kind) -> Answer:
        """Impose a sanction on the chosen player of a match."""
        if not (chosen := request.POST.get("person", "")):
            messages.error(request, _("Choose the person."))
            return None
        person = get_object_or_404(User, pk=parse_whole_number(chosen) or 0, seats__match=match)
        if not may_decide(request.user, person):
            raise PermissionDenied
        return self._impose(request, person, kind, match)

    def _dismiss(self, request: HttpRequest, person: User) -> None:
        """Close the open reports without a reason to act."""
        closed = close_reports(request, find_reports(person), Report.Outcome.NOTHING)
        messages.success(request, _("Answered: %(n)s.") % {"n": closed})

    def _undo(self, request: HttpRequest, person: User) -> None:
        sanction = person.sanctions.filter(
            pk=parse_whole_number(request.POST["undo"]) or 0, undone_at=None
        ).first()
        if sanction is not None:
            conduct.undo(sanction)
            undone = pgettext("in the log", "undone")
            log(request, person, f"{undone}: {sanction.in_words} {sanction.reason}")
            messages.success(request, _("%(what)s – undone.") % {"what": sanction})

    def _replace_name(self, request: HttpRequest, person: User) -> None:
        """Replace the name, and close the open reports about it."""
        old = person.username
        try:
            new = personal.replace_name(person, request.POST["name"].strip())
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            return
        log(request, person, _("%(old)s is now %(new)s") % {"old": old, "new": new})
        about_name = find_reports(person).filter(category=Report.Category.NAME)
        close_reports(request, about_name, Report.Outcome.ACTED)
        messages.success(
            request, _("The name %(old)s is now %(new)s, in past matches, too.") % {"old": old, "new": new}
        )

    # Matches

    def _annul_since(self, request: HttpRequest, person: User) -> Answer:
        """Show what annulling the matches since a day would change; with `sure`, do it."""
        try:
            since = parse_date(request.POST["since"])
        except ValueError:  # the 31st of February
            since = None
        if since is None:
            messages.error(request, _("Enter the day, as 2026-11-21."))
            return None
        midnight = datetime.combine(since, time(), tzinfo=UTC)
        matches = Match.objects.filter(
            seats__user=person,
            status=Match.Status.FINISHED,
            concealed=False,
            annulled_at=None,
            ended_at__gte=midnight,
        )
        chosen = list(matches.order_by("pk").prefetch_related("seats"))
        if self._refuse_conflict(request, chosen):
            return None
        if "sure" not in request.POST:
            return self._render_preview(request, person, since.isoformat(), chosen)
        reason = talk.clean_text(request.POST.get("why", ""), MAX_REASON_LENGTH)
        annulled = pgettext("in the log", "annulled")
        for match in chosen:
            rerating.annul(match)
            log(request, match, f"{annulled}: {reason}")
        log(request, person, f"{annulled}: {len(chosen)}, {since}–, {reason}")
        messages.success(request, _("Annulled: %(n)s.") % {"n": len(chosen)})
        return None

    def _render_preview(
        self, request: HttpRequest, person: User, since: str, chosen: list[Match]
    ) -> HttpResponse:
        previews = rerating.preview_annulment(chosen)
        people = User.objects.in_bulk([preview.user_id for preview in previews])
        return self._render(
            request,
            "admin/games/annulment.html",
            title=_("Annul the matches of %(name)s") % {"name": person.username},
            back=reverse("admin:games_case", args=[person.pk]),
            since=since,
            matches=chosen,
            ratings=[(people[preview.user_id], preview) for preview in previews],
        )

    def _refuse_conflict(self, request: HttpRequest, matches: list[Match]) -> bool:
        """Return whether the moderator may not decide about one of these matches, and say so.

        Another must decide about all of them: their own, and those with their recent opponents.
        """
        chosen = Match.objects.filter(pk__in=[match.pk for match in matches])
        if exclude_matches_of_opponents(chosen, cast(User, request.user)).count() == len(matches):
            return False
        messages.error(
            request,
            _("You or your recent opponents played some of these matches: another moderator must decide."),
        )
        return True

    def _restore(self, request: HttpRequest, person: User) -> None:
        annulled = Match.objects.filter(seats__user=person).exclude(annulled_at=None)
        code = request.POST["restore"]
        chosen = list(annulled if code == "all" else annulled.filter(code=code))
        if self._refuse_conflict(request, chosen):
            return
        for match in chosen:
            rerating.restore(match)
            log(request, match, pgettext("in the log", "counts again"))
            said = _("%(code)s counts again. The ratings are being computed again.")
            messages.success(request, said % {"code": match.code})

    def _void(self, request: HttpRequest, match: Match) -> None:
        """End a running match."""
        reason = talk.clean_text(request.POST.get("why", ""), MAX_REASON_LENGTH)
        if not reason:
            messages.error(request, _("Choose a reason, or write one."))
            return
        try:
            services.void(match)
        except services.MoveRefused:
            messages.error(request, _("%(code)s is over.") % {"code": match.code})
            return
        ended = pgettext("in the log", "ended")
        log(request, match, f"{ended}: {reason}")
        messages.success(request, _("%(code)s is ended, without a winner.") % {"code": match.code})

    def _close_match(self, request: HttpRequest, match: Match) -> None:
        """Close the open reports about the match as a whole, with the outcome that the button names."""
        outcome = request.POST["match_outcome"]
        if outcome in Report.Outcome.values:
            reports = find_case_reports(match)
            closed = close_reports(request, reports, outcome)
            messages.success(request, _("Answered: %(n)s.") % {"n": closed})

    # Notes, reports and lines

    def _assign(self, request: HttpRequest, subject: User | Match) -> None:
        """Give the open reports of the case to the chosen moderator, or to nobody."""
        key = parse_whole_number(request.POST["assign"]) or 0
        chosen = next((each for each in find_assignees(subject) if each.pk == key), None)
        if chosen is None and request.POST["assign"]:
            messages.error(request, _("This moderator may not decide this case."))
            return
        reports = find_case_reports(subject)
        if not talk.assign(exclude_own_reports(reports, cast(User, request.user)), chosen):
            messages.error(request, _("The case is not open."))
            return
        assigned = pgettext("in the log", "case assigned to")
        log(request, subject, f"{assigned}: {chosen.username if chosen else '–'}")
        name = chosen.username if chosen else _("nobody")
        messages.success(request, _("Case assigned to: %(name)s.") % {"name": name})

    def _note(self, request: HttpRequest, person: User) -> None:
        text = talk.clean_text(request.POST["note"], MAX_NOTE_CHARACTERS)
        if not text:
            messages.error(request, _("There is nothing to write down."))
            return
        conduct.note(person, cast(User, request.user), text)
        written = pgettext("in the log", "note")
        log(request, person, f"{written}: {text}")

    def _delete_note(self, request: HttpRequest, person: User) -> None:
        note = person.notes.filter(pk=parse_whole_number(request.POST["note_out"]) or 0).first()
        if note is not None:
            deleted = pgettext("in the log", "note taken out")
            log(request, person, f"{deleted}: {note.text}")
            note.delete()

    def _reopen(self, request: HttpRequest, person: User) -> None:
        about = find_reports(person).filter(pk=parse_whole_number(request.POST["reopen"]) or 0)
        for report in exclude_reports_of_opponents(about, cast(User, request.user)):
            talk.reopen(report)
            log(request, report, pgettext("in the log", "opened again"))

    def _set_hidden(self, request: HttpRequest, person: User, key: str, *, hidden: bool) -> None:
        lines = Talk.objects.filter(user=person, pk=parse_whole_number(key) or 0).select_related("match")
        for line in exclude_own_talk(lines, cast(User, request.user)):
            talk.set_hidden(line, hidden=hidden)
            hiding = pgettext("in the log", "hidden")
            log(request, line, hiding if hidden else pgettext("in the log", "shown again"))

    def _hide(self, request: HttpRequest, person: User) -> None:
        self._set_hidden(request, person, request.POST["hide"], hidden=True)

    def _show(self, request: HttpRequest, person: User) -> None:
        self._set_hidden(request, person, request.POST["show"], hidden=False)

    # By form field: the required permission, and the handler.
    _actions: ClassVar[dict[str, tuple[str, Callable[..., Answer]]]] = {
        "warning": ("accounts.mute_user", partial(_impose, kind=Sanction.Kind.WARNING)),
        "mute": ("accounts.mute_user", partial(_impose, kind=Sanction.Kind.MUTE)),
        "unrated": ("accounts.ban_user", partial(_impose, kind=Sanction.Kind.UNRATED)),
        "ban": ("accounts.ban_user", partial(_impose, kind=Sanction.Kind.BAN)),
        "dismiss": ("games.change_report", _dismiss),
        "name": ("accounts.ban_user", _replace_name),
        "since": ("games.change_match", _annul_since),
        "restore": ("games.change_match", _restore),
        "undo": ("accounts.change_sanction", _undo),
        "assign": ("games.change_report", _assign),
        "note": ("games.change_report", _note),
        "note_out": ("games.change_report", _delete_note),
        "reopen": ("games.change_report", _reopen),
        "hide": ("games.change_talk", _hide),
        "show": ("games.change_talk", _show),
    }
    _match_actions: ClassVar[dict[str, tuple[str, Callable[..., Answer]]]] = {
        "warning": ("accounts.mute_user", partial(_impose_in_match, kind=Sanction.Kind.WARNING)),
        "mute": ("accounts.mute_user", partial(_impose_in_match, kind=Sanction.Kind.MUTE)),
        "unrated": ("accounts.ban_user", partial(_impose_in_match, kind=Sanction.Kind.UNRATED)),
        "ban": ("accounts.ban_user", partial(_impose_in_match, kind=Sanction.Kind.BAN)),
        "void": ("games.change_match", _void),
        "match_outcome": ("games.change_report", _close_match),
        "assign": ("games.change_report", _assign),
    }
