from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_leaderboard_from_the_first_match")]

    operations = [
        migrations.AddField(
            "user",
            "felt",
            models.CharField(
                choices=[("green", "green"), ("blue", "blue"), ("wine", "wine"), ("slate", "slate")],
                default="green",
                max_length=8,
                verbose_name="felt",
            ),
        ),
    ]
