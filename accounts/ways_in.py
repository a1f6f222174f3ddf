"""How a person can log in: the last way is not removed."""

from collections.abc import Iterator
from contextlib import contextmanager

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction

from accounts.models import User


@contextmanager
def locked(user: User) -> Iterator[None]:
    """Lock the user's row while a way in is removed, so that two tabs cannot remove the last two at once."""
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk=user.pk))
        yield


def has_another(
    user: User, *, passkey: Authenticator | None = None, address: EmailAddress | None = None
) -> bool:
    """Return whether the person can log in without this passkey or confirmed address.

    A password lets in, another passkey, or a link to a confirmed address, by which a password can be set.
    """
    if user.has_usable_password():
        return True
    passkeys = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    addresses = EmailAddress.objects.filter(user=user, verified=True)
    return (
        passkeys.exclude(pk=passkey.pk if passkey else None).exists()
        or addresses.exclude(pk=address.pk if address else None).exists()
    )
