import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0018_shared_deals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DealSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40, unique=True, verbose_name="name")),
                ("day", models.DateField(blank=True, null=True, unique=True, verbose_name="day")),
                ("preset", models.CharField(max_length=40, verbose_name="game")),
                ("rules", models.JSONField(verbose_name="rules")),
                ("seats", models.PositiveSmallIntegerField(verbose_name="seats")),
                ("level", models.CharField(max_length=10, verbose_name="level")),
                ("figures", models.JSONField(default=list)),
                ("player_version", models.CharField(max_length=20)),
                ("seal", models.CharField(max_length=64, verbose_name="seal")),
                ("sealed_at", models.DateTimeField(verbose_name="sealed")),
                ("opens_at", models.DateTimeField(verbose_name="opens")),
                ("closes_at", models.DateTimeField(db_index=True, verbose_name="closes")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
            ],
            options={
                "verbose_name": "set of deals",
                "verbose_name_plural": "sets of deals",
                "ordering": ["-opens_at"],
            },
        ),
        migrations.CreateModel(
            name="ProgrammeDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "weekday",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (0, "Monday"),
                            (1, "Tuesday"),
                            (2, "Wednesday"),
                            (3, "Thursday"),
                            (4, "Friday"),
                            (5, "Saturday"),
                            (6, "Sunday"),
                        ],
                        unique=True,
                        verbose_name="day of the week",
                    ),
                ),
                ("preset", models.CharField(max_length=40, verbose_name="game")),
                (
                    "seats",
                    models.PositiveSmallIntegerField(
                        choices=[(2, "2"), (3, "3"), (4, "4")], verbose_name="seats"
                    ),
                ),
            ],
            options={
                "verbose_name": "day of the programme",
                "verbose_name_plural": "programme of the week",
                "ordering": ["weekday"],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("practice", models.BooleanField(default=False)),
                (
                    "standing",
                    models.CharField(
                        choices=[
                            ("official", "official"),
                            ("guest", "guests are listed below the board"),
                            ("new", "the account is younger than seven days"),
                            ("few", "fewer than ten matches before"),
                            ("again", "this browser had already played the day"),
                        ],
                        max_length=10,
                    ),
                ),
                ("margins", models.JSONField(default=list)),
                ("lines", models.JSONField(default=list)),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("score", models.FloatField(blank=True, null=True)),
                (
                    "deals",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="events.dealset",
                    ),
                ),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entry", to="games.match"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="entries",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry",
                "verbose_name_plural": "entries",
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["user", "practice"], name="entries_of_a_person")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("practice", False), ("user__isnull", False)),
                        fields=("deals", "user"),
                        name="one_entry_a_person",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="HouseResult",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("level", models.CharField(max_length=10)),
                ("figure", models.PositiveSmallIntegerField()),
                ("margins", models.JSONField()),
                ("lines", models.JSONField()),
                (
                    "deals",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="house_results",
                        to="events.dealset",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("deals", "number"), name="one_result_a_computer")
                ],
            },
        ),
    ]
