"""Preferences: on the user row, or in the session and language cookie of an anonymous visitor."""

from typing import Any, Literal, cast

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.languages import get_supported_language

FIELDS = [
    "theme",
    "tiles",
    "pips",
    "felt",
    "avatar",
    "sound",
    "volume",
    "animation",
    "confirm_resign",
    "automatic",
    "draws_singly",
    "emotes",
    "remarks",
    "keys",
    "vibration",
    "shows_presence",
    "challengers",
    "computer_pause",
    "call_pause",
    "language",
]
OPTIONAL_FIELDS = ("computer_pause", "call_pause", "felt", "challengers")  # if they are not sent
SESSION_KEY = "preferences"
SAMESITE = cast(Literal["Lax", "Strict", "None"], settings.LANGUAGE_COOKIE_SAMESITE)
COOKIE_AGE_SECONDS = 31_536_000


class PreferencesForm(forms.ModelForm):
    """The preferences of a user, saved or not."""

    language = forms.ChoiceField(
        label=_("language"), required=False, choices=[("", _("Same as the browser")), *settings.LANGUAGES]
    )

    class Meta:
        model = User
        fields = FIELDS
        widgets = {
            "theme": forms.RadioSelect,
            "tiles": forms.RadioSelect,
            "pips": forms.RadioSelect,
            "felt": forms.RadioSelect,
            "avatar": forms.RadioSelect,
            "volume": forms.NumberInput(attrs={"type": "range", "min": 0, "max": 100, "step": 10}),
            "challengers": forms.RadioSelect,
            "computer_pause": forms.RadioSelect,
            "call_pause": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in OPTIONAL_FIELDS:
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        """Keep what was not sent."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name in OPTIONAL_FIELDS:
            if cleaned.get(name) == "":
                cleaned[name] = getattr(self.instance, name)
        if "avatar" not in self.data:  # here an empty value is a choice
            cleaned["avatar"] = self.instance.avatar
        return cleaned


def preferences_of(request: HttpRequest) -> User:
    """Return a user with the viewer's preferences; an unsaved one for an anonymous visitor."""
    if request.user.is_authenticated:
        return request.user
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return User(**session_preferences(request), language=get_supported_language(chosen))


def session_preferences(request: HttpRequest) -> dict[str, Any]:
    """Return an anonymous visitor's preferences, for a new user row. The language is in the cookie."""
    stored = request.session.get(SESSION_KEY, {})
    return {name: stored[name] for name in FIELDS if name in stored}


def store(request: HttpRequest, form: PreferencesForm, answer: HttpResponse) -> None:
    """Save a valid form to the user row, or to the session and cookie."""
    language = form.cleaned_data["language"]
    if request.user.is_authenticated:
        request.user.save(update_fields=FIELDS)
    else:
        request.session[SESSION_KEY] = {
            name: form.cleaned_data[name] for name in FIELDS if name != "language"
        }
    if language:
        _set_language_cookie(language, answer)
    else:
        answer.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite=SAMESITE)


def store_language(request: HttpRequest, language: str, answer: HttpResponse) -> None:
    """Save a language, which must be one of `LANGUAGES`."""
    if request.user.is_authenticated:
        User.objects.filter(pk=request.user.pk).update(language=language)
    _set_language_cookie(language, answer)


def keep_address_language(request: HttpRequest, language: str, answer: HttpResponse) -> None:
    """Keep the language of an address such as `/ru/rules/` for the visit of a reader who has not chosen one.

    The links of that page have no prefix; without the cookie the next page would be in the browser's language.
    """
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        _set_language_cookie(language, answer, max_age=None)


def _set_language_cookie(
    language: str, answer: HttpResponse, *, max_age: int | None = COOKIE_AGE_SECONDS
) -> None:
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=max_age,
        samesite=SAMESITE,
        secure=settings.HTTPS,
    )
