from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lobbies", "0005_pauses_and_names")]

    operations = [
        migrations.AddField(model_name="sitting", name="slow", field=models.BooleanField(default=False)),
    ]
