from django.db import migrations, models

UNCHOSEN = ("UTC", "Factory")  # the default of earlier releases, and a name that is no place


def forget_unchosen(apps, schema_editor):
    """Let the next browser name the zone of those who have the default, as it did before."""
    choices = apps.get_model("notifications", "Choices").objects.using(schema_editor.connection.alias)
    choices.filter(time_zone__in=UNCHOSEN).update(time_zone="")


def restore_default(apps, schema_editor):
    choices = apps.get_model("notifications", "Choices").objects.using(schema_editor.connection.alias)
    choices.filter(time_zone="").update(time_zone="UTC")


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0004_devices_and_deadlines"),
    ]

    operations = [
        migrations.AddField(
            model_name="subscription",
            name="seen_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="choices",
            name="time_zone",
            field=models.CharField(blank=True, default="", max_length=64, verbose_name="time zone"),
        ),
        migrations.RunPython(forget_unchosen, restore_default),
    ]
