"""Refusals at a table before play, with their sentences."""

from datetime import timedelta
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.http import Refusal
from operators.site_settings import get_maintenance_sentence


class TableRefused(Refusal):
    """A refusal at a table before play; with the time after which it no longer holds, if there is one."""

    def __init__(self, reason: str, status: int = 422, *, wait: timedelta = timedelta()) -> None:
        super().__init__(reason, status)
        self.wait = wait

    @property
    def retry_after(self) -> int:
        return ceil(self.wait.total_seconds()) or super().retry_after

    @property
    def sentence(self) -> str:
        return {
            "started": _("This match has started. You can watch it."),
            "closed": _("This table is closed. Make another, or play the computer."),
            "full": _("All seats are taken."),
            "taken": _("This seat is taken."),
            "no_such_seat": _("There is no such seat."),
            "seated": _("You are already sitting at this table."),
            "not_seated": _("You are not sitting at this table."),
            "guests": _("This table is rated. Sign up to play rated matches."),
            "malformed": _("Use at most 64 letters from a to z and digits."),
            "malformed_commitment": _("This is not a commitment: it has 64 hexadecimal digits."),
            "commitments_fixed": _("The commitments at this table are fixed."),
            "not_committed": _("You have committed to no characters, and add nothing to the shuffle."),
            "commitments_missing": _("Not everybody has committed to their characters yet."),
            "other_nonce": _("These are not the characters you committed to."),
            "nonce_given": _("Your characters have already been added."),
            "not_over": _("The match is not over yet."),
            "too_many_tables": _("You are already sitting at several open tables. Leave one first."),
            "too_many_day_games": _(
                "You are playing or waiting for as many matches with days for a move as one person may. End one first."
            ),
            "too_fast": _("You have made a lot of tables. Wait a few minutes and try again."),
            "no_shows": _(
                "Several times you have sat down here, and the match could not begin. Quick play opens for you again "
                "%(when)s."
            )
            % {"when": self._when},
            "too_many_guests": _("Too many guests have come from your address. Sign up, or try again later."),
            "no_guests": _("There are no guests here. Sign up or log in to play."),
            "maintenance": get_maintenance_sentence(),
            "barred": _("You are barred from rated play for now. Your profile says why and until when."),
            "banned": _("This account is closed."),
            "drawn": _("A night has drawn the seats of this table: they are taken on its page."),
            "reserved": _("These seats are reserved for the players of the previous match."),
            "not_together": _("You and somebody at this table do not play with each other."),
            "waits_for_people": _("This table waits for people."),
            "reserved_for_another": _("This seat is kept for somebody else."),
            "not_challenged": _("You were not challenged to this table."),
            "yourself": _("You cannot challenge yourself."),
            "takes_no_challenge": _("This player takes no challenges just now."),
            "too_many_strangers": _(
                "You have challenged many people whom you do not know. Try again in an hour."
            ),
            "challenged_already": _(
                "Somebody else challenges this player just now. Try again in five minutes."
            ),
            "strangers_declined": _(
                "This player has just declined several people whom they do not know. Try again in an hour."
            ),
            "bots_are_private": _("Tables of bots are private: send private=on, or challenge another bot."),
            "bots_by_challenge": _(
                "Quick play is for people. A bot plays whom it challenges, and who challenges it."
            ),
            "bots_challenge_bots": _("A bot challenges bots alone: people challenge it if they wish."),
            "no_bots": _(
                "Bots do not sit down here: people challenge them, or give them the link of a private table."
            ),
            "rated_enough": _(
                "A bot plays 100 rated matches a day, by UTC. Until midnight it plays casual ones."
            ),
            "no_rematch": _("A rematch needs all the players of the match."),
            "shared_deals": _("These deals are played once. There is no rematch."),
            "declined": _("A rematch was declined."),
        }[self.reason]

    @property
    def _when(self) -> str:
        """Return in how many minutes or hours the refusal no longer holds."""
        minutes = -(-int(self.wait.total_seconds()) // 60)
        if minutes < 60:
            return ngettext("in %(n)d minute", "in %(n)d minutes", minutes) % {"n": minutes}
        hours = -(-minutes // 60)
        return ngettext("in %(n)d hour", "in %(n)d hours", hours) % {"n": hours}
