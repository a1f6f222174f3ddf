"""Moves that people in matches of two, with a clock of days, plan ahead for the other's next turn."""

from django.conf import settings
from django.db import models

from .matches import Match


class ConditionalMove(models.Model):
    """A move that `user` makes at once if the other's turn ends as the condition says.

    Only its user sees it, as it names a tile in a hand: it has no admin page, and its text names no move.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="conditional_moves")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="conditional_moves"
    )
    condition = models.CharField(max_length=10, blank=True)  # the other's play or pass; "" is any of them
    move = models.CharField(max_length=10)
    # What is planned after it: a line for each later answer, with all moves from here (games.conditional_moves).
    then = models.TextField(blank=True, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user", "condition"], name="one_move_a_condition")
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.user_id}"
