from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("study", "0008_checkpoints"),
    ]

    operations = [
        migrations.AlterField(
            model_name="seallink",
            name="code",
            field=models.CharField(max_length=40),
        ),
    ]
