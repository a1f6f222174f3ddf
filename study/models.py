"""Analyses, seals, statistics and puzzles.

Only `services`, `chain`, `puzzles`, `rush`, `peeks` and migrations write these rows.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.elo import START_RATING
from games.models import Match, Seat


class Analysis(models.Model):
    """The requested analysis of a match.

    result  output of `boneyard.analysis.matches.Analysis.as_dict`; null until the analysis is done
    engine  version of the code that made it
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="analysis")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED, db_index=True)
    progress = models.FloatField(default=0)  # 0 to 1
    engine = models.CharField(max_length=20, blank=True)
    result = models.JSONField(null=True, blank=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="analyses_asked_for"
    )
    asked_at = models.DateTimeField(default=timezone.now, db_index=True)
    taken_at = models.DateTimeField(null=True, blank=True)  # last progress of the process that runs it
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name_plural = "analyses"

    def __str__(self) -> str:
        return f"{self.match.code}: {self.state}"

    @property
    def waiting(self) -> bool:
        return self.state in (self.State.QUEUED, self.State.RUNNING)


class SeatStudied(models.Model):
    """The summary of an analysis for one seat, to be aggregated over matches.

    decisions           number of graded decisions
    lost, lost_squared  sum of their losses and of the squares, as chances to win the match
    luck                luck of its side; null if below its error
    """

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="studied")
    decisions = models.PositiveIntegerField()
    lost = models.FloatField()
    lost_squared = models.FloatField()
    luck = models.FloatField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "seats studied"

    def __str__(self) -> str:
        return f"{self.seat}: {self.decisions}"


class SealLink(models.Model):
    """A seal in the append-only chain of all seals (`study.chain`)."""

    number = models.PositiveBigIntegerField(unique=True)  # from 1
    code = models.CharField(max_length=40)  # of the table, or a set of deals; not published
    seal = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["code", "seal"], name="one_link_a_seal")]
        indexes = [models.Index(fields=["seal"], name="links_by_seal")]

    def __str__(self) -> str:
        return f"{self.number} {self.seal}"


class ChainHead(models.Model):
    """The last link of the chain when it was published."""

    number = models.PositiveBigIntegerField()
    hash = models.CharField(max_length=64)
    checkpoint = models.TextField(blank=True, default="", db_default="")  # signed note, "" without a key
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.number} {self.hash}"


class Counted(models.Model):
    """The counts of a finished match for /fairness/numbers/ (`study.deal_statistics`)."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="counted")
    counts = models.JSONField()

    class Meta:
        verbose_name_plural = "counted"

    def __str__(self) -> str:
        return str(self.match)


class Puzzle(models.Model):
    """A position in which one move is better than every other: of a rated match, or of a match between computers.

    match     the rated match; null for a puzzle that shipped with the code
    shipped   key of a shipped puzzle (`study.shipped_puzzles`)
    position  of a shipped puzzle: game, seats, seed and the moves before it; otherwise empty
    number    number of the move that was made there
    tried     every distinct move with its chance, loss and error, best first
    rating    difficulty, on the scale of the players' puzzle ratings
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="puzzles", null=True, blank=True)
    shipped = models.CharField(max_length=60, unique=True, null=True, blank=True)
    position = models.JSONField(default=dict, blank=True)
    number = models.PositiveIntegerField()
    tried = models.JSONField()
    rating = models.FloatField(default=START_RATING)
    tries = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_puzzle_a_move"),
            models.CheckConstraint(
                condition=models.Q(match__isnull=False, shipped__isnull=True)
                | models.Q(match__isnull=True, shipped__isnull=False),
                name="puzzle_of_a_match_or_shipped",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match.code}:{self.number}" if self.match else str(self.shipped)

    @property
    def preset(self) -> str | None:
        return self.match.preset if self.match else str(self.position["game"])


class PuzzleSource(models.Model):
    """A match that was searched for puzzles."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="puzzle_source")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return str(self.match)


class PuzzleTry(models.Model):
    """The first answer of a user to a puzzle, with their rating before and after it."""

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_tries")
    move = models.CharField(max_length=40)
    solved = models.BooleanField()
    before = models.FloatField()
    after = models.FloatField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "puzzle tries"
        constraints = [models.UniqueConstraint(fields=["puzzle", "user"], name="one_first_answer")]
        indexes = [models.Index(fields=["user", "at"])]

    def __str__(self) -> str:
        return f"{self.puzzle_id}: {self.move}"


class PuzzleRun(models.Model):
    """What a user solved and missed in a run of ten minutes (`study.rush`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_runs")
    began_at = models.DateTimeField()
    solved = models.PositiveSmallIntegerField(default=0)
    missed = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "began_at"], name="one_row_a_run")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.solved}"


class PeekScore(models.Model):
    """The peek scores of a seat in a finished match, as `boneyard.analysis.peek.PeekSum`: only for moderators.

    other  the seat whose hand it may have seen; null for the sum over all the others that it was scored against
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="peeks")
    other = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+", null=True)
    decisions = models.PositiveIntegerField()
    rounds = models.PositiveIntegerField()
    total = models.FloatField()
    squares = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "other"], name="one_peek_score_a_pair"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.total:+.2f}"


class PeekSource(models.Model):
    """A match that was taken to compute its peek scores."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="peek_source")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return str(self.match)
