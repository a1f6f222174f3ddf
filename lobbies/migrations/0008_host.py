from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("lobbies", "0007_the_cast")]

    operations = [migrations.RenameField(model_name="table", old_name="maker", new_name="host")]
