"""Admin of people: warn, mute, bar or ban, each with a reason and a term."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from accounts import conduct, personal
from accounts.admin import sharing
from accounts.admin.filters import HasValueFilter, RecentFilter
from accounts.admin.groups import NamedPermissions
from accounts.models import Sanction, User
from accounts.moderators import may_decide
from core.admin_rights import WithoutDelete
from live.broadcast import broadcast_session_ended


class WarningForm(forms.Form):
    """The reason of a sanction."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("The person reads it on their profile."),
        max_length=200,
    )
    appeal = forms.CharField(label=gettext_lazy("How to appeal"), max_length=200, required=False)


class BarForm(WarningForm):
    """The reason and term of a bar."""

    hours = forms.TypedChoiceField(
        label=gettext_lazy("For how long"), coerce=int, choices=conduct.SANCTION_TERMS
    )


class MuteForm(BarForm):
    """The reason and term of a mute."""


class BanForm(WarningForm):
    """The reason and term of a ban."""

    effects = gettext_lazy("All their devices are logged out at once. Whoever logs in reads the reason.")

    hours = forms.TypedChoiceField(
        label=gettext_lazy("For how long"),
        coerce=int,
        choices=[conduct.UNTIL_LIFTED, *conduct.SANCTION_TERMS],
        required=False,
        empty_value=None,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("The person sees this when they try to log in.")


class ConfirmForm(forms.Form):
    """A confirmation without fields."""


class JoinedFilter(RecentFilter):
    title = gettext_lazy("joined")
    parameter_name = "joined"
    field = "date_joined"


@admin.register(User)
class PeopleAdmin(NamedPermissions, WithoutDelete, UserAdmin):
    """People, with actions for moderators; `delete_account` keeps other people's matches and ratings."""

    list_display = [
        "username",
        "is_guest",
        "date_joined",
        "last_login",
        "banned_at",
        "banned_until",
        "muted_until",
    ]
    list_filter = [
        "is_guest",
        "is_bot",
        "is_staff",
        ("banned_at", HasValueFilter),
        ("muted_until", HasValueFilter),
        ("deleted_at", HasValueFilter),
        JoinedFilter,
    ]
    search_fields = ["^username"]
    search_help_text = gettext_lazy("How a name begins")
    list_per_page = 50
    show_full_result_count = False
    readonly_fields = [
        "is_bot",
        "last_login",
        "date_joined",
        "banned_at",
        "banned_reason",
        "banned_until",
        "muted_until",
        "deleted_at",
    ]
    add_fieldsets = ((None, {"fields": ["username", "password1", "password2"]}),)
    person = (None, {"fields": ["username", "is_guest", "is_bot"]})
    conduct_section = (
        gettext_lazy("Conduct"),
        {"fields": ["banned_at", "banned_reason", "banned_until", "muted_until"]},
    )
    dates = (gettext_lazy("Dates"), {"fields": ["last_login", "date_joined", "deleted_at"]})
    access = (
        gettext_lazy("Access"),
        {
            "fields": [
                "email",
                "password",
                "is_active",
                "is_staff",
                "is_superuser",
                "groups",
                "user_permissions",
            ]
        },
    )
    actions = ["warn", "mute", "unmute", "bar", "ban", "unban", "export", "delete_account"]

    # Only superusers edit rows: nobody else may raise anybody's rights.

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return request.user.is_superuser

    def has_ban_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.ban_user")

    def has_mute_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.mute_user")

    def get_urls(self) -> list[Any]:
        found = path("sharing/", self.admin_site.admin_view(self.sharing), name="accounts_user_sharing")
        return [found, *super().get_urls()]

    def sharing(self, request: HttpRequest) -> HttpResponse:
        return sharing.show(request, self.admin_site.each_context(request) | {"opts": self.opts})

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        return [*self.search_fields, "=email"] if request.user.is_superuser else [*self.search_fields]

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> list[Any] | tuple[Any, ...]:
        if obj is None:
            return super().get_fieldsets(request, obj)
        # E-mail addresses are shown only to those who can act on them.
        return [self.person, self.conduct_section, self.dates] + [self.access] * request.user.is_superuser

    def save_model(self, request: HttpRequest, obj: User, form: forms.ModelForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        broadcast_session_ended(obj.pk)

    def save_related(self, request: HttpRequest, form: forms.ModelForm, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        person = form.instance
        if person.is_staff and not person.is_superuser and not person.get_all_permissions():
            messages.warning(
                request,
                _("%(name)s is staff without a group, so the admin shows them nothing.") % {"name": person},
            )

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        response = super().user_change_password(request, id, form_url)
        if request.method == "POST":
            broadcast_session_ended(int(id))
        return response

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Refuse the log about oneself: it says who decided what and why."""
        if object_id == str(request.user.pk):
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)

    # Actions

    def _impose(self, request: HttpRequest, person: User, kind: str, data: dict[str, Any]) -> None:
        hours = data.get("hours")
        conduct.impose(
            person,
            kind,
            by=cast(User, request.user),
            reason=data.get("reason", ""),
            until=timezone.now() + timedelta(hours=hours) if hours else None,
            appeal=data.get("appeal", ""),
        )

    @admin.action(description=gettext_lazy("Warn…"), permissions=["mute"])
    def warn(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        return self._confirm(
            request,
            people,
            WarningForm,
            _("Warn"),
            lambda person, data: self._impose(request, person, "warning", data),
        )

    @admin.action(description=gettext_lazy("Bar from rated play…"), permissions=["ban"])
    def bar(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        return self._confirm(
            request,
            people,
            BarForm,
            _("Bar from rated play"),
            lambda person, data: self._impose(request, person, "unrated", data),
        )

    @admin.action(description=gettext_lazy("Ban…"), permissions=["ban"])
    def ban(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        return self._confirm(
            request,
            people,
            BanForm,
            _("Ban"),
            lambda person, data: self._impose(request, person, "ban", data),
        )

    @admin.action(description=gettext_lazy("Lift the ban"), permissions=["ban"])
    def unban(self, request: HttpRequest, people: QuerySet[User]) -> None:
        self._apply(
            request, people, _("Lift the ban"), lambda person: conduct.lift(person, Sanction.Kind.BAN)
        )

    @admin.action(description=gettext_lazy("Mute…"), permissions=["mute"])
    def mute(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        def silence(person: User, data: dict[str, Any]) -> None:
            self._impose(request, person, "mute", data)

        return self._confirm(request, people, MuteForm, _("Mute"), silence)

    @admin.action(description=gettext_lazy("Unmute"), permissions=["mute"])
    def unmute(self, request: HttpRequest, people: QuerySet[User]) -> None:
        self._apply(request, people, _("Unmute"), lambda person: conduct.lift(person, Sanction.Kind.MUTE))

    @admin.action(description=gettext_lazy("Delete the account…"), permissions=["change"])
    def delete_account(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        return self._confirm(
            request,
            people,
            ConfirmForm,
            _("Delete the account"),
            lambda person, data: personal.delete(person),
        )

    @admin.action(
        description=gettext_lazy("Export all that is stored about one person"), permissions=["change"]
    )
    def export(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Send the data of one person as JSON, for a request by law."""
        if len(people) != 1:
            messages.error(request, _("Choose one person."))
            return None
        person = people[0]
        self.log_change(request, person, pgettext("in the log", "exported"))
        headers = {"Content-Disposition": f'attachment; filename="{person.username}.json"'}
        return JsonResponse(personal.export_data(person), headers=headers, json_dumps_params={"indent": 1})

    def _confirm(
        self,
        request: HttpRequest,
        people: QuerySet[User],
        form_class: type[forms.Form],
        title: str,
        action: Callable[[User, dict[str, Any]], None],
    ) -> HttpResponse | None:
        """Render a confirmation page with the people and the form; apply `action` once it is valid."""
        form = form_class(request.POST if "sure" in request.POST else None)
        if form.is_valid():
            data = form.cleaned_data
            values = [dict(conduct.SANCTION_TERMS).get(value, value) for value in data.values() if value]
            what = ": ".join(filter(None, [title, ", ".join(map(str, values))]))
            self._apply(request, people, what, lambda person: action(person, data))
            return None
        context = self.admin_site.each_context(request) | {
            "title": title,
            "people": self._permitted(request, people),
            "form": form,
            "action": request.POST["action"],
            "opts": self.opts,
        }
        return render(request, "admin/accounts/conduct.html", context)

    def _apply(
        self, request: HttpRequest, people: QuerySet[User], what: str, action: Callable[[User], None]
    ) -> None:
        permitted = self._permitted(request, people)
        for person in permitted:
            with transaction.atomic():
                self.log_change(request, person, what)
                action(person)  # after the log entry: deleting a person renames them there too
        if skipped := len(people) - len(permitted):
            messages.warning(
                request,
                ngettext(
                    "%(n)d person is left out: another moderator must decide about them.",
                    "%(n)d people are left out: another moderator must decide about them.",
                    skipped,
                )
                % {"n": skipped},
            )
        if permitted:
            names = ", ".join(person.username for person in permitted)
            messages.success(request, _("%(what)s – done for %(names)s.") % {"what": what, "names": names})

    def _permitted(self, request: HttpRequest, people: QuerySet[User]) -> list[User]:
        return [person for person in people.filter(deleted_at=None) if may_decide(request.user, person)]
