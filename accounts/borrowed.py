"""Sentences of Django and allauth that locale/ translates again: the libraries' Spanish is more formal than our pages'.

`make messages` finds them here; nothing else reads the list but the test that they speak as the pages do.
"""

from django.utils.translation import gettext_noop, ngettext_lazy

BORROWED = (
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("Your password can’t be entirely numeric."),
    gettext_noop("You must type the same password each time."),
    gettext_noop("Please type your current password."),
    gettext_noop("The username and/or password you specified are not correct."),
    gettext_noop("The email address and/or password you specified are not correct."),
)
AT_LEAST = ngettext_lazy(
    "Your password must contain at least %(min_length)d character.",
    "Your password must contain at least %(min_length)d characters.",
    "min_length",
)
