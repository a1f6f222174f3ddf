"""A match in the database: the sealed secret, the seats and the moves. Its state is the fold of the moves."""

from datetime import datetime
from typing import cast

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts import addresses
from accounts.names import label
from accounts.pauses import CallPause, ComputerPause, Pauses
from boneyard.engine.state import MatchEnding
from core.numbers import display_rating
from games.time.day_clocks import get_days
from games.wording import Persona, outcome, persona_of


class SealedSecret(models.Model):
    """The secret from which the deals of a table and its match follow; kept even if the match never starts.

    Without any foreign key, so that no lookup of the admin reaches a secret.
    """

    # The table's, and its match's; or the name of a set of shared deals. A table where somebody did not reveal a nonce
    # gets another secret.
    code = models.CharField(max_length=40, db_index=True)
    secret = models.CharField(max_length=64, editable=False)
    seal = models.CharField(max_length=64)
    sealed_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return self.seal


class Match(models.Model):
    # Shifted to compensate lost time (`games.time.outages`).
    TURN_DEADLINE_FIELDS = ("pause_until", "wait_until", "prodded_at")

    class Status(models.TextChoices):
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")

    code = models.CharField(_("code"), max_length=10, unique=True)
    preset = models.CharField(_("game"), max_length=40, null=True, blank=True)  # noqa: DJ001  null in the record, too
    # Of house rules: the preset that they change. Empty for matches from before this field, and for shared deals.
    base_preset = models.CharField(_("derived from"), max_length=40, blank=True, default="", db_default="")
    pool = models.CharField(_("pool"), max_length=40, blank=True)
    rules = models.JSONField(_("rules"))
    rated = models.BooleanField(_("rated"))
    private = models.BooleanField(_("only with the link"), default=False)
    clock_seconds = models.PositiveIntegerField(_("seconds for the match"), null=True, blank=True)
    clock_increment = models.PositiveIntegerField(_("seconds for each move"), null=True, blank=True)
    computer_pause = models.PositiveSmallIntegerField(choices=ComputerPause, default=ComputerPause.ONE)
    call_pause = models.PositiveSmallIntegerField(choices=CallPause, default=CallPause.TWO)

    seal = models.CharField(_("seal"), max_length=64)
    entropy = models.TextField(_("what the players added"), blank=True)
    # By seat, the hash of a nonce or null; null for matches made before commitments.
    commitments = models.JSONField(null=True, blank=True)
    # The name of the set of shared deals that it plays, or "" (docs/record.md, "Shared deals").
    deals = models.CharField(_("shared deals"), max_length=40, blank=True, default="", db_default="")
    # The code of the night that has drawn its seats, or "".
    night = models.CharField(_("night"), max_length=10, blank=True, default="", db_default="")
    concealed = models.BooleanField(
        default=False, db_default=False
    )  # while the set is open: nobody but the player sees it

    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.PLAYING, db_index=True
    )
    version = models.PositiveIntegerField(_("moves"), default=0)
    next_action_at = models.DateTimeField(_("next due"), null=True, blank=True, db_index=True)
    turn_began_at = models.DateTimeField()  # start of the charged time; in the future during a pause
    pause_until = models.DateTimeField(null=True, blank=True)  # after a round: clocks and computers wait
    wait_until = models.DateTimeField(null=True, blank=True)  # after a play at called tables: nobody moves
    # With a clock of days, the time that this turn took before its player's vacation.
    turn_used_ms = models.PositiveIntegerField(default=0, db_default=0)
    prodded_at = models.DateTimeField(null=True, blank=True)  # when the player on turn was prodded
    prodded_by = models.PositiveSmallIntegerField(null=True, blank=True)  # by which seat
    leaver = models.PositiveSmallIntegerField(
        null=True, blank=True
    )  # the seat whose replacement the others choose
    leaving = models.CharField(max_length=10, blank=True)  # how it left, as a move
    left_at = models.DateTimeField(null=True, blank=True)  # start of that choice, during which nobody moves
    agreed = models.JSONField(default=list)  # in pairs, the seats that have agreed to a computer
    # When a page of it was last opened, accurate to an hour.
    looked_at = models.DateTimeField(default=timezone.now)

    result_how = models.CharField(_("how it ended"), max_length=10, blank=True)
    winners = models.JSONField(_("winners"), null=True, blank=True)
    scores = models.JSONField(_("scores"), default=list)
    started_at = models.DateTimeField(_("began"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True, db_index=True)
    rating_order = models.PositiveBigIntegerField(
        _("place among rated matches"), null=True, blank=True, unique=True
    )
    annulled_at = models.DateTimeField(_("annulled"), null=True, blank=True)
    # The factor of its rating changes that follows from its length (boneyard.engine.lengths).
    length_scale = models.FloatField(default=1.0)
    # When a rated match became casual, because two players share an address.
    casual_since = models.DateTimeField(null=True, blank=True)
    # The seat that came to the address of another after its hand, or that other hand, was seen.
    casual_by = models.PositiveSmallIntegerField(null=True, blank=True)
    rematch_code = models.CharField(max_length=10, blank=True)  # of the table for the rematch
    # Until when those who want it wait there.
    rematch_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-started_at"]
        indexes = [
            models.Index(fields=["status", "-ended_at"]),
            models.Index(fields=["result_how", "-id"], name="matches_by_result"),  # a filter of the admin
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.code])

    @property
    def playing(self) -> bool:
        return self.status == self.Status.PLAYING

    @property
    def timed(self) -> bool:
        return self.clock_seconds is not None

    @property
    def clock(self) -> tuple[int, int] | None:
        """Return the seconds for the match and for each move, or None."""
        return None if self.clock_seconds is None else (self.clock_seconds, self.clock_increment or 0)

    @property
    def days(self) -> int | None:
        """Return the days for each move, or None for another clock and without one."""
        return get_days(self.clock_seconds)

    @property
    def pauses(self) -> Pauses:
        return Pauses(self.call_pause, self.computer_pause)

    @property
    def sealed_as(self) -> str:
        """Return the code under which the secret of its deals is stored."""
        return self.deals or self.code

    @property
    def end(self) -> datetime:
        """Return when the match ended. Raise `ValueError` while it is being played."""
        if self.ended_at is None:
            raise ValueError(f"{self.code} is being played")
        return self.ended_at

    @property
    def ending(self) -> MatchEnding:
        """Return what ended the match. Raise `ValueError` while it is being played."""
        if self.playing:
            raise ValueError(f"{self.code} is being played")
        return cast(MatchEnding, self.result_how)

    @property
    def outcome(self) -> str:
        """Return who won and how, or "" while it is being played."""
        winners = [seat.display_name for seat in self.seats.all() if seat.won]
        if self.playing:
            return ""
        if self.deals and self.ending == "time":
            return gettext("the day closed")
        return outcome(self.ending, winners)


class Seat(models.Model):
    class Kind(models.TextChoices):
        PLAYER = "player", _("player")
        GUEST = "guest", _("guest")
        COMPUTER = "computer", _("computer")

    class Rematch(models.TextChoices):
        ASKED = "asked", _("wants a rematch")
        DECLINED = "declined", _("declined a rematch")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="seats",
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    is_bot = models.BooleanField(_("bot"), default=False, db_default=False)  # of the account at the start
    level = models.CharField(_("level"), max_length=10, blank=True)
    # A computer's persona at its level (games.wording.personas).
    figure = models.PositiveSmallIntegerField(default=0)
    name = models.CharField(
        pgettext_lazy("of a person", "name"), max_length=150
    )  # at the start of the match; empty after deletion
    clock_ms = models.PositiveIntegerField(null=True, blank=True)  # remaining at the end of its last turn
    taken_over = models.BooleanField(default=False)  # by a computer
    left = models.BooleanField(_("has left"), default=False)
    unfinished = models.BooleanField(default=False)  # left in a way that counts against completion
    hand_seen_at = models.DateTimeField(null=True, blank=True)  # when the player was first sent their hand
    # Whether quick play seated the player, who was established in the pool (`accounts.limits.Leaver`).
    by_chance = models.BooleanField(default=False, db_default=False)
    called_off = models.BooleanField(default=False)  # called off or left early too often: rated as resigned
    # The last round after which the player pressed Continue.
    continued_round = models.PositiveIntegerField(default=0)
    rating_before = models.FloatField(_("rating before"), null=True, blank=True)
    rating_after = models.FloatField(_("rating after"), null=True, blank=True)
    completion = models.PositiveSmallIntegerField(null=True, blank=True)  # in percent, before the match
    score = models.IntegerField(_("score"), null=True, blank=True)
    won = models.BooleanField(_("won"), null=True, blank=True)
    # When the player last loaded a page of the match or posted a form.
    page_at = models.DateTimeField(null=True, blank=True)
    slow_turns = models.PositiveSmallIntegerField(default=0)  # see games.time.pace
    missed = models.PositiveIntegerField(default=0)  # own points not claimed, or called by others
    # The answer to a rematch.
    rematch = models.CharField(max_length=10, choices=Rematch.choices, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["match", "position"], name="one_seat_a_position"),
            models.UniqueConstraint(
                fields=["match", "user"], name="one_seat_a_person", condition=models.Q(user__isnull=False)
            ),
        ]
        indexes = [
            # The running matches of a person, for every page: a seat has a score once its match has ended.
            models.Index(fields=["user"], name="seats_in_play", condition=models.Q(score__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.position} {self.name}"

    @property
    def computer(self) -> bool:
        return self.kind == self.Kind.COMPUTER or self.taken_over

    @property
    def display_name(self) -> str:
        """Return the name to display: a computer's is its persona's, a deleted player has a placeholder.

        A bot's says that it is one.
        """
        figure = self.cast
        if figure:
            return figure.name
        name = self.name or gettext("deleted player")
        # On the path of a move: no call for people.
        return label(name, is_bot=True) if self.is_bot else name

    @property
    def avatar(self) -> str:
        """Return the tile that the player has chosen, or ""."""
        return self.user.avatar if self.user is not None else ""

    @property
    def cast(self) -> Persona | None:
        """Return the persona of a seat that was a computer's from the start, or None."""
        return persona_of(self.level, self.figure) if self.kind == self.Kind.COMPUTER and self.level else None

    @property
    def player_id(self) -> int:
        """Return the user's primary key. Raise `ValueError` without a user (a computer, a deleted account)."""
        if self.user_id is None:
            raise ValueError(f"seat {self.position} is nobody's")
        return self.user_id

    @property
    def rating_change(self) -> tuple[float, float]:
        """Return the rating before and after a rated match. Raise `ValueError` if it was not rated."""
        if self.rating_before is None or self.rating_after is None:
            raise ValueError(f"seat {self.position} was not rated")
        return self.rating_before, self.rating_after

    @property
    def displayed_rating(self) -> int | None:
        """Return the whole-number rating to display: after a rated match, else before it."""
        value = self.rating_after if self.rating_after is not None else self.rating_before
        return None if value is None else display_rating(value)


class SeatAddress(models.Model):
    """An address from which a person has used a table, or its match before every seat's first turn.

    Rows exist from sitting down on; `accounts.addresses` hashes the address.
    """

    code = models.CharField(max_length=10)  # of the table, and of its match
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    address = models.CharField(max_length=addresses.MAX_LENGTH)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["code", "user", "address"], name="one_row_an_address"),
        ]

    def __str__(self) -> str:
        return f"{self.code}: {self.user_id}"


class Move(models.Model):
    """A move; append-only. `number` counts from 1 and equals the match's version after it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField(_("number"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    text = models.CharField(_("move"), max_length=40)
    claim = models.PositiveSmallIntegerField(_("claimed"), null=True, blank=True)
    at = models.DateTimeField(_("when"))
    # Left on the seat's clock after the move; null without a clock, and for moves from before this field.
    clock_ms = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["match", "number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="one_move_a_number")]

    def __str__(self) -> str:
        return f"{self.number}. {self.text}"
