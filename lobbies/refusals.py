"""What cannot be done at a table, in sentences."""

from django.utils.translation import gettext as _


class TableRefused(Exception):
    """`reason` for programs, `status` for HTTP; the sentence is worded for whoever reads it."""

    def __init__(self, reason: str, status: int = 422) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status

    @property
    def sentence(self) -> str:
        return {
            "started": _("This match has begun. You can watch it."),
            "closed": _("This table is closed. Make another, or play the computer."),
            "full": _("All seats are taken."),
            "taken": _("This seat is taken."),
            "no_such_seat": _("There is no such seat."),
            "seated": _("You sit at this table already."),
            "not_seated": _("You do not sit at this table."),
            "guests": _("This table is rated. Sign up to play rated matches."),
            "malformed": _("Use at most 64 letters from a to z and digits."),
            "nonce_given": _("Your characters are in already."),
            "not_over": _("The match is not over yet."),
            "too_many_tables": _("You sit at several open tables already. Leave one first."),
            "too_fast": _("You have made a lot of tables. Wait a few minutes."),
            "too_many_guests": _("Too many guests came from your address. Sign up, or wait a while."),
            "banned": _("This account is closed."),
            "reserved": _("These seats are kept for those who play again."),
            "no_rematch": _("There is no rematch without the others."),
        }[self.reason]
