from django.db import migrations
from django.utils import timezone

from boneyard.engine.lengths import compute_length_scale
from boneyard.engine.presets import PRESETS

BATCH_SIZE = 500


def set_facts(apps, schema_editor):
    """Set the facts that ratings newly depend on, and have all pools recomputed.

    A clock that ran out counts as a finish: where the player was is not known. Stored completions are cleared, as they
    counted other matches.
    """
    match, seat, move = (apps.get_model("games", name) for name in ("Match", "Seat", "Move"))
    _set_unfinished(seat, move)
    seat.objects.exclude(completion=None).update(completion=None)
    rated = match.objects.filter(rating_order__isnull=False)
    for row in rated.iterator(chunk_size=BATCH_SIZE):
        preset = PRESETS.get(row.preset)
        if preset is not None:
            scale = compute_length_scale(preset, row.seats.count(), row.rules["target"])
            match.objects.filter(pk=row.pk).update(length_scale=scale)
    pools = rated.order_by("pool").values_list("pool", flat=True).distinct()
    apps.get_model("games", "Rerating").objects.bulk_create(
        [apps.get_model("games", "Rerating")(pool=pool, asked_at=timezone.now()) for pool in pools],
        ignore_conflicts=True,
    )


def _set_unfinished(seat, move):
    left = seat.objects.filter(left=True, match__rated=True)
    left.filter(taken_over=True).update(unfinished=True)
    for row in left.filter(taken_over=False).select_related("match").iterator(chunk_size=BATCH_SIZE):
        leaving = move.objects.filter(match=row.match, seat=row.position, text__in=["resign", "time", "left"])
        how = leaving.order_by("-number").values_list("text", flat=True).first()
        if how == "left" or (how == "resign" and row.match.seats.count() > 2):
            seat.objects.filter(pk=row.pk).update(unfinished=True)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0014_presence_on_every_page"),
        ("accounts", "0011_rating_limits"),
    ]

    operations = [
        migrations.RunPython(set_facts, migrations.RunPython.noop),
    ]
