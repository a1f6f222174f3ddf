"""Names of preferences and pools as people say them; nothing in the database changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_desk"),
    ]

    operations = [
        migrations.AlterField(
            model_name="rating",
            name="pool",
            field=models.CharField(
                choices=[
                    ("muggins", "Muggins and All Fives"),
                    ("muggins-free", "Muggins and All Fives, three or four"),
                    ("muggins-pairs", "Muggins and All Fives, pairs"),
                    ("draw", "Draw"),
                    ("draw-free", "Draw, three or four"),
                    ("draw-pairs", "Draw, pairs"),
                    ("block", "Block"),
                    ("block-free", "Block, three or four"),
                    ("block-pairs", "Block, pairs"),
                    ("fives-and-threes", "Fives and Threes"),
                    ("fives-and-threes-free", "Fives and Threes, three or four"),
                    ("fives-and-threes-pairs", "Fives and Threes, pairs"),
                    ("sebastopol-free", "Sebastopol, three or four"),
                    ("sebastopol-pairs", "Sebastopol, pairs"),
                    ("latin-pairs", "Latin American pairs"),
                    ("cuban-pairs", "Cuban double-nine"),
                    ("jamaican", "Jamaican"),
                    ("jamaican-free", "Jamaican, three or four"),
                    ("jamaican-pairs", "Jamaican, pairs"),
                    ("kozel", "Kozel (the Goat)"),
                    ("kozel-free", "Kozel (the Goat), three or four"),
                    ("kozel-pairs", "Kozel (the Goat), pairs"),
                    ("five-up", "Five-Up"),
                    ("five-up-free", "Five-Up, three or four"),
                    ("five-up-pairs", "Five-Up, pairs"),
                    ("bergen", "Bergen"),
                    ("bergen-free", "Bergen, three or four"),
                ],
                max_length=40,
                verbose_name="pool",
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="animation",
            field=models.BooleanField(default=True, verbose_name="animations"),
        ),
        migrations.AlterField(
            model_name="user",
            name="computer_pause",
            field=models.PositiveSmallIntegerField(
                choices=[(0, "as fast as they can"), (1, "1 second"), (2, "2 seconds"), (4, "4 seconds")],
                default=1,
                verbose_name="Computers’ pause",
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="theme",
            field=models.CharField(
                choices=[("system", "same as the system"), ("light", "light"), ("dark", "dark")],
                default="system",
                max_length=8,
                verbose_name="theme",
            ),
        ),
    ]
