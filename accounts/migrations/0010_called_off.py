from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_names_said_plainly")]

    operations = [
        migrations.AddField(model_name="rating", name="called_off", field=models.JSONField(default=list)),
    ]
