"""What of accounts needs tables of apps that themselves need `accounts.0001`: the audit log and reasons of sanctions."""

from django.db import migrations, models

from accounts import moderators

REASONS = [f"{verb}_reasontemplate" for verb in ("view", "add", "change", "delete")]


def let_moderators(apps, schema_editor):
    moderators.grant(apps, schema_editor, "admin", "view_logentry")
    moderators.grant(apps, schema_editor, "operators", *REASONS)


class Migration(migrations.Migration):
    replaces = [
        ("accounts", "0017_audit_log"),
        ("accounts", "0018_desk_mails"),
        ("accounts", "0019_shows_presence"),
        ("accounts", "0020_pools_of_days"),  # `accounts.0001_squashed_0016_felt` has its choices
        ("accounts", "0021_vibration"),
    ]

    dependencies = [
        ("accounts", "0016_felt"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("operators", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            "user",
            "digest",
            models.BooleanField(db_default=False, default=False, verbose_name="daily mail about open cases"),
        ),
        migrations.AddField("user", "digest_at", models.DateTimeField(blank=True, editable=False, null=True)),
        migrations.AddField(
            "user",
            "shows_presence",
            models.BooleanField(db_default=True, default=True, verbose_name="show others that I am here"),
        ),
        migrations.AddField(
            "user",
            "vibration",
            models.BooleanField(db_default=False, default=False, verbose_name="vibrate on my turn"),
        ),
        migrations.RunPython(let_moderators, migrations.RunPython.noop),
    ]
