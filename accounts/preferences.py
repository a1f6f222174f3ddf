"""What a person has chosen: kept on their row, or in the session and the language cookie of somebody without one."""

from typing import Any, Literal, cast

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.languages import offered

FIELDS = [
    "theme",
    "tiles",
    "pips",
    "sound",
    "volume",
    "animation",
    "confirm_resign",
    "automatic",
    "keys",
    "computer_pause",
    "call_pause",
    "language",
]
PAUSES = ("computer_pause", "call_pause")
KEY = "preferences"
SAMESITE = cast(Literal["Lax", "Strict", "None"], settings.LANGUAGE_COOKIE_SAMESITE)
A_YEAR = 31_536_000  # seconds


class PreferencesForm(forms.ModelForm):
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
            "volume": forms.NumberInput(attrs={"type": "range", "min": 0, "max": 100, "step": 10}),
            "computer_pause": forms.RadioSelect,
            "call_pause": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in PAUSES:
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        """A pause that was not sent stays as it is."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name in PAUSES:
            if cleaned.get(name) == "":
                cleaned[name] = getattr(self.instance, name)
        return cleaned


def preferences_of(request: HttpRequest) -> User:
    """A user with the viewer's preferences; not saved for somebody who has no row."""
    if request.user.is_authenticated:
        return request.user
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return User(**kept_in_session(request), language=offered(chosen))


def kept_in_session(request: HttpRequest) -> dict[str, Any]:
    """The preferences of somebody without a row, for the row they are about to get. The language is in the cookie."""
    kept = request.session.get(KEY, {})
    return {name: kept[name] for name in FIELDS if name in kept}


def store(request: HttpRequest, form: PreferencesForm, answer: HttpResponse) -> None:
    """Save a valid form to wherever this person's preferences are kept."""
    language = form.cleaned_data["language"]
    if request.user.is_authenticated:
        request.user.save(update_fields=FIELDS)
    else:
        request.session[KEY] = {name: form.cleaned_data[name] for name in FIELDS if name != "language"}
    if language:
        _remember(language, answer)
    else:
        answer.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite=SAMESITE)


def store_language(request: HttpRequest, language: str, answer: HttpResponse) -> None:
    """The same for a language alone, one of those that there are."""
    if request.user.is_authenticated:
        User.objects.filter(pk=request.user.pk).update(language=language)
    _remember(language, answer)


def _remember(language: str, answer: HttpResponse) -> None:
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, language, max_age=A_YEAR, samesite=SAMESITE, secure=settings.HTTPS
    )
