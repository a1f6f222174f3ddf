"""What a waiting table shows to one viewer: the one context of its page and its socket."""

from typing import Any

from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.models import Seat
from games.wording import house_rules, preset_title, rules_in_words
from lobbies.forms import clock_name
from lobbies.models import Table


def table_context(table: Table, user) -> dict[str, Any]:
    """Seats, rules in words, seal; `mine` is the viewer's own sitting or None."""
    rules, base = Rules.from_dict(table.rules), PRESETS[table.preset].rules
    taken = {s.position: s for s in table.sittings.select_related("user")}
    mine = next((s for s in taken.values() if user.is_authenticated and s.user_id == user.pk), None)
    partners = rules.partners and table.seats == 4
    return {
        "table": table,
        "title": preset_title(table.preset),
        "house": house_rules(rules, base, table.seats),
        "rules": rules_in_words(rules, table.seats, base),
        "clock": clock_name(table.clock),
        "target": rules.target,
        "partners": partners,
        "places": [(i, taken.get(i), i % 2 if partners else i) for i in range(table.seats)],
        "mine": mine,
        "full": len(taken) == table.seats,
        "may_sit": mine is None and len(taken) < table.seats and table.open,
        "guest_kind": Seat.Kind.GUEST,
    }
