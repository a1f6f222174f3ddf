"""Move the club nights of `lobbies`, an hour of UTC each week, and their followers to open nights."""

import secrets
from datetime import timedelta

from django.db import migrations
from django.utils import timezone

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def move(apps, schema_editor):
    night, follower = apps.get_model("nights", "Night"), apps.get_model("nights", "Follower")
    club_nights = apps.get_model("lobbies", "ClubNight").objects
    now = timezone.now()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for row in club_nights.order_by("pk"):
        starts_at = midnight + timedelta(days=row.weekday - now.weekday(), hours=row.hour)
        moved = night.objects.create(
            code="".join(secrets.choice(ALPHABET) for _ in range(10)),
            name=row.name,
            preset=row.preset,
            language=row.language,
            starts_at=starts_at,
            zone="UTC",
            weekly=True,
            reminded_for=row.reminded_for,
            format="open",
            place="phones",
            audience="public",
            status="open",
            rounds=0,
            seal="",
            created_at=now,
        )
        for followed in row.followers.order_by("pk"):
            follower.objects.create(
                night=moved, user_id=followed.user_id, dismissed_for=followed.dismissed_for
            )
    club_nights.all().delete()


def move_back(apps, schema_editor):
    """Make club nights of the weekly ones that the site shows to everybody; the earlier release knows no others."""
    club_nights = apps.get_model("lobbies", "ClubNight").objects
    follower = apps.get_model("lobbies", "NightFollower").objects
    nights = apps.get_model("nights", "Night").objects.filter(format="open")
    for row in nights.filter(weekly=True, audience="public", status="open").order_by("pk"):
        moved = club_nights.create(
            name=row.name,
            preset=row.preset,
            language=row.language,
            weekday=row.starts_at.weekday(),
            hour=row.starts_at.hour,
            reminded_for=row.reminded_for,
        )
        for followed in row.followers.order_by("pk"):
            follower.create(night=moved, user_id=followed.user_id, dismissed_for=followed.dismissed_for)
    nights.delete()


class Migration(migrations.Migration):

    dependencies = [
        ("lobbies", "0016_night_tables"),
        ("nights", "0004_open_nights"),
    ]

    operations = [migrations.RunPython(move, move_back)]
