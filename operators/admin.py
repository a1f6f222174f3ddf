"""Admin of the site's settings, pages, news, mails, invitations and reasons."""

from collections.abc import Iterable
from typing import Any, cast

from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.admin_rights import WithoutAdd, WithoutDelete
from core.languages import list_base_languages
from operators import mails, site_settings
from operators.logged_values import LoggedValues
from operators.mail_kinds import MAILS, MailKind
from operators.models import (
    Invitation,
    MailText,
    News,
    Page,
    ReasonTemplate,
    SharedNetwork,
    SiteSettings,
)
from operators.pages import render_markdown
from operators.translated import choose_text

Preview = tuple[str, str, str | SafeString]  # language, title, text


class SiteSettingsForm(forms.ModelForm):
    """The settings; games as lines, clocks as boxes."""

    games = forms.CharField(
        label=gettext_lazy("Games on quick play"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "cols": 40}),
    )
    clocks = forms.MultipleChoiceField(
        label=gettext_lazy("Time controls offered"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("None chosen: all."),
    )

    class Meta:
        model = SiteSettings
        exclude: tuple[str, ...] = ()

    has_second_factor = False  # of the operator who fills the form in; set by the admin

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = ", ".join(f"{name} ({title})" for name, title in site_settings.get_choices("games"))
        self.fields["games"].help_text = _(
            "One a line, in this order; empty: the usual games of the reader’s language. %(names)s"
        ) % {"names": names}
        self.fields["clocks"].choices = site_settings.get_choices("clocks")  # type: ignore[attr-defined]
        self.initial["games"] = "\n".join(self.instance.games)

    def clean_games(self) -> list[str]:
        games = list(dict.fromkeys(self.cleaned_data["games"].split()))
        unknown = sorted(set(games) - {name for name, _title in site_settings.get_choices("games")})
        if unknown:
            raise forms.ValidationError(
                _("There is no such game: %(names)s.") % {"names": ", ".join(unknown)}
            )
        return games

    def clean(self) -> dict[str, Any]:
        data = cast(dict[str, Any], super().clean())
        start, end = data.get("announced_from"), data.get("announced_until")
        if start and end and start >= end:
            self.add_error("announced_until", _("This is before the announcement begins."))
        if data.get("staff_second_factor") and not self.has_second_factor:
            self.add_error(
                "staff_second_factor", _("Set up one for your own account first, or you would be shut out.")
            )
        if data.get("matches_halt") and not data.get("maintenance"):
            self._end_halt(data)
        return data

    def _end_halt(self, data: dict[str, Any]) -> None:
        """End the halt of matches together with the maintenance; refuse one that is chosen alone."""
        if "matches_halt" in self.changed_data:
            self.add_error(
                "matches_halt", _("Matches stand still during maintenance alone: choose that, too.")
            )
            return
        data["matches_halt"] = False
        self.changed_data.append("matches_halt")  # for the log


@admin.register(SiteSettings)
class SiteSettingsAdmin(LoggedValues, WithoutAdd, WithoutDelete, admin.ModelAdmin):
    """The one row of settings, in place of its list."""

    form = SiteSettingsForm
    fieldsets = (
        (gettext_lazy("The site"), {"fields": ["name", "description", "operator", "contact"]}),
        (
            gettext_lazy("Announcement"),
            {"fields": ["announcement", ("announced_from", "announced_until"), "level"]},
        ),
        (gettext_lazy("Maintenance"), {"fields": ["maintenance", "matches_halt", "maintenance_text"]}),
        (
            gettext_lazy("People"),
            {"fields": ["registration", "guests", "staff_second_factor", "public_talk", "appeal"]},
        ),
        (gettext_lazy("Games"), {"fields": ["games", "clocks"]}),
        (
            gettext_lazy("Limits"),
            {"fields": ["tables_limit", "lines_limit", "reports_limit", "guests_limit", "accounts_limit"]},
        ),
    )

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form = cast(type[SiteSettingsForm], super().get_form(request, *args, **kwargs))
        form.has_second_factor = is_mfa_enabled(cast(AbstractUser, request.user))
        return form

    def save_model(self, request: HttpRequest, obj: SiteSettings, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if obj.staff_second_factor and "staff_second_factor" in form.changed_data:
            shut_out = get_user_model().objects.filter(is_staff=True, is_active=True, authenticator=None)
            if names := ", ".join(shut_out.order_by("username").values_list("username", flat=True)):
                messages.warning(request, _("Staff who have none yet: %(names)s.") % {"names": names})

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        return SiteSettings.objects.filter(pk=1).first() or SiteSettings(pk=1)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return self.changeform_view(request, "1", extra_context=extra_context)


class PreviewedAdmin(admin.ModelAdmin):
    """A form with a button that shows what was written in each language, without saving it."""

    change_form_template = "admin/operators/previewed.html"

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponse:
        row = self.get_object(request, object_id) if object_id else None
        may_write = self.has_change_permission(request, row) if row else self.has_add_permission(request)
        if request.method == "POST" and "_preview" in request.POST and may_write:
            form = self.get_form(request, row)(request.POST, instance=row)
            if form.is_valid():
                shared = self.admin_site.each_context(request)
                context = {
                    "title": _("Preview"),
                    "previews": list(self.preview(form.instance)),
                    "opts": self.opts,
                }
                return render(request, "admin/operators/preview.html", shared | context)
        return super().changeform_view(request, object_id, form_url, extra_context)

    @admin.display(description=gettext_lazy("languages"))
    def languages(self, row: Any) -> str:
        return ", ".join(row.body)

    def preview(self, row: Any) -> Iterable[Preview]:
        """Yield the page in every language that has a text."""
        for code, name in list_base_languages():
            if row.body.get(code):
                yield name, choose_text(row.title, code), render_markdown(row.body[code])


@admin.register(Page)
class PageAdmin(PreviewedAdmin):
    """The pages in Markdown."""

    list_display = ["slug", "languages", "address"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        every_page_exists = Page.objects.count() >= len(Page.Slug.values)
        return super().has_add_permission(request) and not every_page_exists

    @admin.display(description=gettext_lazy("page"))
    def address(self, page: Page) -> str:
        return format_html('<a href="{}">{}</a>', page.get_absolute_url(), page)


@admin.register(News)
class NewsAdmin(PreviewedAdmin):
    """The news."""

    list_display = ["__str__", "at"]


class MailTextForm(forms.ModelForm):
    """A mail's text, which must keep its placeholders."""

    key = forms.ChoiceField(
        label=gettext_lazy("Mail"),
        choices=lambda: [(key, kind.title) for key, kind in MAILS.items()],
    )

    class Meta:
        model = MailText
        fields = ["key", "subject", "body"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Not lazily: `%` of a lazy text would translate it once, at import.
        self.fields["body"].help_text = _(
            "Placeholders: %(names)s. Without a text in any language the site's own is sent."
        ) % {"names": _braced(mails.SAMPLE_VALUES)}

    def clean(self) -> dict[str, Any]:
        data = cast(dict[str, Any], super().clean())
        if kind := MAILS.get(data.get("key", "")):
            for field in ("subject", "body"):
                for code, text in (data.get(field) or {}).items():
                    self._check(kind, field, code, text)
        return data

    def _check(self, kind: MailKind, field: str, code: str, text: str) -> None:
        used = mails.find_placeholders(text)
        if field == "body" and (missing := set(kind.required) - used):
            self.add_error(field, f"{code}: " + _("%(name)s is missing.") % {"name": _braced(missing)})
        if unknown := used - set(kind.placeholders):
            sentence = _("%(name)s is not known in this mail. It has %(names)s.")
            names = {"name": _braced(unknown), "names": _braced(kind.placeholders)}
            self.add_error(field, f"{code}: " + sentence % names)


def _braced(names: Iterable[str]) -> str:
    return " ".join(f"{{{name}}}" for name in sorted(names))


@admin.register(MailText)
class MailTextAdmin(PreviewedAdmin):
    """The texts of mails, with a preview and a test mail to oneself."""

    form = MailTextForm
    list_display = ["mail", "languages"]
    actions = ["send_test"]

    @admin.display(description=gettext_lazy("mail"), ordering="key")
    def mail(self, text: MailText) -> str:
        return str(text)

    def preview(self, row: Any) -> Iterable[Preview]:
        for code, name in list_base_languages():
            if row.body.get(code) and (mail := mails.fill_sample(row, code)):
                yield name, mail.subject, format_html('<pre class="desk-mail">{}</pre>', mail.body)

    @admin.action(description=gettext_lazy("Send a test mail to yourself"), permissions=["change"])
    def send_test(self, request: HttpRequest, chosen: Any) -> None:
        address = getattr(request.user, "email", "")
        if not address:
            messages.error(request, _("Your account has no e-mail address."))
            return
        for text in chosen:
            for code in text.body:
                if mail := mails.fill_sample(text, code):
                    send_mail(mail.subject, mail.body, None, [address])
            self.log_change(request, text, _("test mail to %(name)s") % {"name": request.user})
        messages.success(request, _("Sent to %(address)s.") % {"address": address})


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):
    """Invitations, with their links to copy."""

    fields = ["note", "uses", "expires_at"]
    list_select_related = ["by"]

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        # The site's address, or that of this request where none is configured.
        address = settings.SITE_URL or request.build_absolute_uri("/").rstrip("/")

        @admin.display(description=gettext_lazy("link"))
        def link(invitation: Invitation) -> str:
            return f"{address}{invitation.get_absolute_url()}"

        return ["__str__", link, "used", "uses", "expires_at", "by", "at"]

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        if not change:
            obj.by_id = request.user.pk
        super().save_model(request, obj, form, change)


@admin.register(SharedNetwork)
class SharedNetworkAdmin(LoggedValues, admin.ModelAdmin):
    """The networks of clubs, to be ticked."""

    list_display = ["name", "network", "is_listed", "added_at"]
    list_editable = ["is_listed"]
    list_filter = ["is_listed"]
    search_fields = ["name", "network"]


@admin.register(ReasonTemplate)
class ReasonTemplateAdmin(admin.ModelAdmin):
    """Reasons for sanctions."""

    list_display = ["__str__", "reports", "order"]

    @admin.display(description=gettext_lazy("for reports of"), ordering="category")
    def reports(self, template: ReasonTemplate) -> str:
        names = dict(site_settings.get_choices("categories"))
        return str(names.get(template.category, template.category or _("any")))

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "category":
            choices = [("", _("any")), *site_settings.get_choices("categories")]
            return forms.ChoiceField(
                label=db_field.verbose_name.capitalize(), choices=choices, required=False
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)
