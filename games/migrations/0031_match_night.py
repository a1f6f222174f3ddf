from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0030_clocks_of_moves"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="night",
            field=models.CharField(blank=True, db_default="", default="", max_length=10, verbose_name="night"),
        ),
    ]
