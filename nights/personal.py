"""Export and delete the data of a person that this app stores."""

from typing import Any

from django.db.models import F, Value
from django.db.models.functions import Replace

from accounts.models import User
from nights.models import Act, Entry, Night, SentResult


def export(user: User) -> dict[str, Any]:
    """Return the nights a person made, directs or took part in, and what they entered and did there."""
    return {
        "hosted": [_write_night(night) for night in Night.objects.filter(host=user)],
        "directed": [_write_night(night) for night in Night.objects.filter(directors=user)],
        "entries": [
            {
                "night": entry.night.code,
                "name": entry.name,
                "number": entry.number,
                "status": entry.status,
                "paid": entry.has_paid,
                "added": entry.added_at.isoformat(),
                "results": [_write_result(sent) for sent in entry.sent_results.all()],
            }
            for entry in Entry.objects.filter(user=user).select_related("night").order_by("pk")
        ],
        "results": [_write_result(sent) for sent in SentResult.objects.filter(director=user)],
        "acts": [
            {"night": act.night.code, "act": act.kind, "about": act.about, "at": act.at.isoformat()}
            for act in Act.objects.filter(user=user).select_related("night").order_by("pk")
        ],
    }


def _write_night(night: Night) -> dict[str, Any]:
    return {"night": night.code, "name": night.name, "starts": night.starts_at.isoformat()}


def _write_result(sent: SentResult) -> dict[str, Any]:
    return {"points": sent.points, "hands": sent.hands, "sent": sent.sent_at.isoformat()}


def forget(user: User) -> None:
    """Take the person's names out of nights; their numbers and results stay, as others played with them."""
    for entry in Entry.objects.filter(user=user):
        _replace_in_log(entry.night_id, entry.name, entry.number_as_name)
        entry.user, entry.name = None, entry.number_as_name
        entry.save(update_fields=["user", "name"])
    for night in Night.objects.filter(directors=user):
        _replace_in_log(night.pk, user.username, "")
        night.directors.remove(user)


def _replace_in_log(night_id: int, name: str, other: str) -> None:
    acts = Act.objects.filter(night=night_id, about__contains=name)
    acts.update(about=Replace(F("about"), Value(name), Value(other)))
