from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone

from core.numbers import display_rating

MIN_MATCHES, MIN_OPPONENTS, MAX_IDLE = 30, 10, timedelta(days=90)


def list_from_the_first_match(apps, schema_editor):
    """List everybody with a rated match, mark established ratings, and recount the histograms."""
    Rating = apps.get_model("accounts", "Rating")
    RatingBand = apps.get_model("accounts", "RatingBand")
    now = timezone.now()
    established = [
        pk
        for pk, opponents in Rating.objects.filter(matches__gte=MIN_MATCHES).values_list("pk", "opponents")
        if len(opponents) >= MIN_OPPONENTS
    ]
    for start in range(0, len(established), 500):
        Rating.objects.filter(pk__in=established[start : start + 500]).update(established=True)
    free = models.Q(user__banned_at=None) | models.Q(user__banned_until__lte=now)
    present = Rating.objects.filter(free, user__deleted_at=None, matches__gt=0, updated_at__gt=now - MAX_IDLE)
    Rating.objects.filter(pk__in=present.values("pk")).update(ranked=True)
    bands = {}
    for pool, value in Rating.objects.filter(ranked=True).values_list("pool", "value").iterator():
        key = pool, display_rating(value)
        bands[key] = bands.get(key, 0) + 1
    RatingBand.objects.all().delete()
    RatingBand.objects.bulk_create(
        (
            RatingBand(pool=pool, band=band, players=players)
            for (pool, band), players in sorted(bands.items())
        ),
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0014_table_preferences")]

    operations = [
        migrations.AddField(
            "rating", "established", models.BooleanField(default=False, verbose_name="established")
        ),
        migrations.RemoveIndex("rating", "the_newcomers"),
        migrations.AddIndex(
            "rating",
            models.Index(
                fields=["pool", "-value", "id"],
                condition=models.Q(("established", True), ("ranked", True)),
                name="the_established",
            ),
        ),
        migrations.AddIndex("ratingchange", models.Index(fields=["at"], name="changes_by_time")),
        migrations.RunPython(list_from_the_first_match, migrations.RunPython.noop, elidable=True),
    ]
