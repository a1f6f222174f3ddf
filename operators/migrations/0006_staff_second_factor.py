"""Let the operator require a second factor of staff."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("operators", "0005_limits")]

    operations = [
        migrations.AddField(
            model_name="sitesettings",
            name="staff_second_factor",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Without a passkey or an authenticator app nobody gets into the admin.",
                verbose_name="staff need a second factor",
            ),
        ),
    ]
