"""Today's deal on the lobby's card."""

from datetime import datetime

from accounts.models import User
from events.field import find_own_entry, load_field
from events.models import DealSet
from events.streaks import count_streak
from games.models import Match
from games.wording.options import title_for_target
from lobbies.daily_card import DailyCard


def build(user: User | None, now: datetime) -> DailyCard | None:
    """Return the card, with the reader's own result so far; None on a day without a deal to play."""
    deals = DealSet.objects.filter(day=now.date(), cancelled_at=None).first()
    if deals is None or deals.fault:
        return None
    card = DailyCard(title_for_target(deals.preset, deals.parsed_rules.target), deals.rounds, deals.closes_at)
    entry = find_own_entry(deals, user.pk) if user is not None else None
    if user is None or entry is None:
        return card
    card = card._replace(is_playing=entry.match.status == Match.Status.PLAYING)
    if not entry.margins:
        return card
    loaded = load_field(deals)
    own = loaded.build_result(entry)
    return card._replace(
        score="" if own.score is None else f"{own.score:.0f}",
        place=own.place or 0,
        field=len(loaded.scores),
        percents=tuple(own.percents),
        streak=count_streak(user.pk, now.date()),
    )
