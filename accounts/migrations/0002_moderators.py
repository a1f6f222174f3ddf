from django.db import migrations

from accounts import moderators

PERMISSIONS = ["view_user", "ban_user", "mute_user", "view_rating", "view_ratingchange"]


def let_moderators(apps, schema_editor):
    moderators.grant(apps, schema_editor, "accounts", *PERMISSIONS)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(let_moderators, migrations.RunPython.noop)]
