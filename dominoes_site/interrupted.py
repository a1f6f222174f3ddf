"""The matches that a restored backup leaves for the operator to decide about."""

from django.db.models import QuerySet

from games.models import Match, Seat


def find_interrupted() -> QuerySet[Match]:
    """Return the running matches of people; those of computers alone are nobody's to decide about."""
    of_people = Seat.objects.filter(kind__in=[Seat.Kind.PLAYER, Seat.Kind.GUEST]).values("match")
    return Match.objects.filter(status=Match.Status.PLAYING, pk__in=of_people)
