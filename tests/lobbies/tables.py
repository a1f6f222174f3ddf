"""How tests make tables."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from boneyard.engine.presets import PRESETS
from boneyard.engine.shuffle import commitment_to
from lobbies import services
from lobbies.game import Game
from lobbies.models import Sitting, Table


def game(
    preset: str = "all-fives", seats: int = 2, *, rated: bool = False, clock=(300, 5), **changes
) -> Game:
    """Return a game of a preset, with house rules if any are named."""
    rules = PRESETS[preset].rules
    return Game(preset, rules.replace(**changes) if changes else rules, seats, rated, clock)


def make(
    host: User, preset: str = "all-fives", seats: int = 2, *, levels=(), private=False, **about
) -> Table:
    return services.make_table(host, game(preset, seats, **about), levels=levels, private=private)


def guest(name: str = "quiet-owl-7") -> User:
    return User.objects.create_user(name, is_guest=True)


def unseen(table: Table, user: User, seconds: float) -> None:
    """Set the last sign of the person's page back by this time."""
    Sitting.objects.filter(table=table, user=user).update(seen_at=timezone.now() - timedelta(seconds=seconds))


def waited(table: Table, seconds: float) -> None:
    """Set the table's creation back by this time."""
    Table.objects.filter(pk=table.pk).update(created_at=timezone.now() - timedelta(seconds=seconds))


def full_since(table: Table, seconds: float) -> None:
    """Set the time since when all seats are taken."""
    Table.objects.filter(pk=table.pk).update(full_at=timezone.now() - timedelta(seconds=seconds))


def names(table: Table) -> list[str]:
    """Return who sits at each position: a name, a level, or "" for a free seat."""
    taken = {
        s.position: s.user.username if s.user else s.level for s in table.sittings.select_related("user")
    }
    return [taken.get(position, "") for position in range(table.seats)]


def add_nonces(table: Table, nonces: dict[User, str]) -> None:
    """Commit each of these people to a nonce, then reveal them all."""
    for user, nonce in nonces.items():
        services.commit(table, user, commitment_to(nonce))
    for user, nonce in nonces.items():
        services.give_nonce(table, user, nonce)


def start_without_nonces(table: Table, *people: User) -> None:
    """Start a full table's match: its people add nothing to the shuffle."""
    for user in people:
        services.commit(table, user, "")
