"""A daily mail about open cases; moderators edit the reasons of sanctions."""

from django.db import migrations, models

from accounts import moderators


def let_moderators(apps, schema_editor):
    names = [f"{verb}_reasontemplate" for verb in ("view", "add", "change", "delete")]
    moderators.grant(apps, schema_editor, "operators", *names)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_audit_log"),
        ("operators", "0001_initial"),
    ]
    operations = [
        migrations.AddField(
            model_name="user",
            name="digest",
            field=models.BooleanField(
                db_default=False, default=False, verbose_name="daily mail about open cases"
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="digest_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(let_moderators, migrations.RunPython.noop),
    ]
