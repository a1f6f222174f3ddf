"""What a person has chosen: on their row, or in the session of somebody who is nobody yet."""

from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User

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
    "language",
]
KEY = "preferences"


class PreferencesForm(forms.ModelForm):
    language = forms.ChoiceField(
        label=_("language"), required=False, choices=[("", _("as the browser")), *settings.LANGUAGES]
    )

    class Meta:
        model = User
        fields = FIELDS
        widgets = {
            "theme": forms.RadioSelect,
            "tiles": forms.RadioSelect,
            "pips": forms.RadioSelect,
            "volume": forms.NumberInput(attrs={"type": "range", "min": 0, "max": 100, "step": 10}),
        }


def preferences_of(request: HttpRequest) -> User:
    """A user with the viewer's preferences; not saved for somebody who has no row."""
    if request.user.is_authenticated:
        return request.user
    return User(**request.session.get(KEY, {}))


def store(request: HttpRequest, form: PreferencesForm) -> None:
    """Keep what a valid form says, where its person's preferences are kept."""
    if request.user.is_authenticated:
        request.user.save(update_fields=FIELDS)
    else:
        request.session[KEY] = {name: form.cleaned_data[name] for name in FIELDS}
