"""The web processes that one `manage.py serve` starts, and this one's place among them (docs/decisions/0011)."""

import json
import os
import secrets
from dataclasses import asdict, dataclass, replace

VARIABLE = "BONEYARD_SIBLINGS"


@dataclass(frozen=True)
class Siblings:
    """The siblings of a process, as it inherits them.

    group     the same for all of them, and for no other process
    number    of this process, from 0
    inbox     descriptor of the socket where it gets datagrams; -1 for a process without siblings
    outboxes  descriptors of the sockets that lead to each sibling, by number, and last to their parent
    """

    group: str
    number: int = 0
    inbox: int = -1
    outboxes: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """Return how many web processes there are, this one included."""
        return max(1, len(self.outboxes) - 1)

    def get_share(self, total: int) -> int:
        """Return how many of `total` this process gets if they are dealt out in turn."""
        return len(range(self.number, total, self.count))

    def to_environment(self, number: int, inbox: int) -> dict[str, str]:
        """Return the variable that makes a process the sibling with this number."""
        return {VARIABLE: json.dumps(asdict(replace(self, number=number, inbox=inbox)))}


def _pop_siblings() -> Siblings:
    # Removed from the environment: commands that this process starts are no siblings.
    if inherited := os.environ.pop(VARIABLE, ""):
        fields = json.loads(inherited)
        return Siblings(**fields | {"outboxes": tuple(fields["outboxes"])})
    return Siblings(secrets.token_hex(8))


SIBLINGS = _pop_siblings()
