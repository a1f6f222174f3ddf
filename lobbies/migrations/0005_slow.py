from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lobbies", "0004_moderators")]

    operations = [
        migrations.AddField(model_name="sitting", name="slow", field=models.BooleanField(default=False)),
    ]
