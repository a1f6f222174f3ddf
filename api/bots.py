"""Bots: where programs may move, and how an account becomes a bot, for good."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from core.http import Refusal
from core.json_schema import TEXT, TRUTH, exactly
from games.models import Match, Seat
from lobbies.models import Sitting, Table
from nights.phones import is_of_a_night

BOT_SCHEMA = exactly({"name": TEXT, "bot": TRUTH})


class BotRefused(Refusal):
    """Raised for an account that cannot become a bot."""

    @property
    def sentence(self) -> str:
        return {
            "no_account": _("Sign up first: a bot has an account of its own."),
            "bot_already": _("This account is a bot already, and stays one."),
            "staff": _("An account that runs the site cannot become a bot."),
            "has_played": _(
                "This account has played, or is in a night or a club: only a new one can become a bot."
            ),
            "waits": _("This account waits at a table. Leave it first."),
            "not_sure": _("Tick that you are sure: a bot stays a bot."),
        }[self.reason]


def become_bot(user: User) -> None:
    """Make an account that never played a bot. There is no way back. Raise `BotRefused`."""
    with transaction.atomic():
        row = User.objects.select_for_update().get(pk=user.pk)  # two requests at once, or one that sits down
        _refuse(row)
        row.is_bot = user.is_bot = True
        row.save(update_fields=["is_bot"])


def _refuse(user: User) -> None:
    if user.is_guest:
        raise BotRefused("no_account", 403)
    if user.is_bot:
        raise BotRefused("bot_already", 409)
    if user.is_staff or user.is_superuser:
        raise BotRefused("staff", 403)
    if has_taken_part(user):
        raise BotRefused("has_played", 409)
    if Sitting.objects.filter(user=user, table__status=Table.Status.OPEN).exists():
        raise BotRefused("waits", 409)


def has_taken_part(user: User) -> bool:
    """Return whether an account has played, or is known at a night or in a club."""
    nights = (user.night_entries, user.directed_nights, user.hosted_nights, user.followed_open_nights)
    return any(rows.exists() for rows in (user.seats, *nights, user.club_memberships))


def may_move(user: User, code: str) -> bool:
    """Return whether a program may move for this account in the match with this code.

    For a bot everywhere, for a person in casual matches against computers that belong to no set of deals and no night.
    Matches that are unknown or of others are refused elsewhere.
    """
    if user.is_bot:
        return True
    match = Match.objects.filter(code=code, seats__user=user).first()
    if match is None:
        return True
    if match.rated or match.deals or is_of_a_night(code):
        return False
    return not match.seats.exclude(user=user).exclude(kind=Seat.Kind.COMPUTER).exists()
