"""Export and delete the data of a person that this app stores."""

from typing import Any

from accounts.models import User
from nights.club_models import ClubPerson, Membership
from nights.models import Act, Entry, Night, SentResult
from nights.services import leave_all_clubs
from nights.services.naming import rename, replace_in_log


def export(user: User) -> dict[str, Any]:
    """Return the nights a person made, directs, follows or took part in, and what they entered and did there."""
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
        "followed": [
            {
                "night": row.night.code,
                "name": row.night.name,
                "game": row.night.preset,
                "starts": row.night.starts_at.isoformat(),
                "zone": row.night.zone,
                "weekly": row.night.weekly,
            }
            for row in user.followed_open_nights.select_related("night").order_by("pk")
        ],
        "clubs": [
            {
                "club": row.club.slug,
                "name": row.club.name,
                "role": row.role,
                "joined": row.joined_at.isoformat(),
            }
            for row in Membership.objects.filter(user=user).select_related("club")
        ],
        "club_people": [
            {"club": row.club.slug, "name": row.name, "added": row.added_at.isoformat()}
            for row in ClubPerson.objects.filter(user=user).select_related("club")
        ],
    }


def _write_night(night: Night) -> dict[str, Any]:
    return {"night": night.code, "name": night.name, "starts": night.starts_at.isoformat()}


def _write_result(sent: SentResult) -> dict[str, Any]:
    return {"points": sent.points, "hands": sent.hands, "sent": sent.sent_at.isoformat()}


def forget(user: User) -> None:
    """Take the person's names out of nights and clubs; numbers and results stay, as others played with them."""
    for entry in Entry.objects.filter(user=user):
        rename(entry, f"#{entry.number}")
    Entry.objects.filter(user=user).update(user=None)
    for night in Night.objects.filter(directors=user):
        replace_in_log(night.pk, user.username, "")
        night.directors.remove(user)
    for person in ClubPerson.objects.filter(user=user):
        person.name, person.user = f"#{person.pk}", None
        person.save(update_fields=["name", "user"])
    user.followed_open_nights.all().delete()
    leave_all_clubs(user)
