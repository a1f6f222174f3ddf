from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0026_bots"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="remarks",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="let the computers say something"
            ),
        ),
    ]
