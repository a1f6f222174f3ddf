from django.db import migrations, models
from django.utils import timezone

BROWSERS = ("Firefox", "SamsungBrowser", "Edg", "OPR", "Chrome", "Safari")
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS X", "CrOS", "Linux")
NEW_KINDS = ("day_left", "hours_left", "ended", "summary", "test")


def bind_to_sessions(apps, schema_editor):
    """Bind each browser to the session of its person that it was most likely subscribed in: the newest one that still
    lasts, is older than the subscription and names the same browser and system, or whose browser is not stored any more.

    A browser without one was logged out, or is not known: it is deleted, and subscribes again at its next page.
    """
    alias = schema_editor.connection.alias
    sessions = apps.get_model("sessions", "Session").objects.using(alias).filter(expire_date__gt=timezone.now())
    logins = apps.get_model("usersessions", "UserSession").objects.using(alias)
    for row in apps.get_model("notifications", "Subscription").objects.using(alias).all():
        candidates = logins.filter(
            user=row.user_id, created_at__lte=row.created_at, session_key__in=sessions.values("session_key")
        )
        login = next((login for login in candidates.order_by("-created_at") if may_be(login, row)), None)
        if login is None:
            row.delete()
        else:
            row.session = login.session_key
            row.save(update_fields=["session"])


def may_be(login, row):
    return not login.user_agent or describe(login.user_agent) == row.device


def describe(agent):
    names = (next((name for name in known if name in agent), "") for known in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, names))


def delete_unknown(apps, schema_editor):
    """Delete what the earlier release does not know: notices of the new kinds, those that were read, browsers that were
    taken out of the list."""
    alias = schema_editor.connection.alias
    notices = apps.get_model("notifications", "Notice").objects.using(alias)
    notices.filter(kind__in=NEW_KINDS).delete()
    notices.filter(read_at__isnull=False).delete()
    apps.get_model("notifications", "Subscription").objects.using(alias).filter(removed_at__isnull=False).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0003_endpoint_failures"),
        ("sessions", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="choices",
            name="day_left",
            field=models.BooleanField(
                db_default=True,
                default=True,
                verbose_name="A day of my time is left, in a match of three or seven days a move",
            ),
        ),
        migrations.AddField(
            model_name="choices",
            name="ended",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="A match of days ends while I am away"
            ),
        ),
        migrations.AddField(
            model_name="choices",
            name="hours_left",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="Two hours of my time are left, in a match of days"
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="read_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="subscription",
            name="removed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="subscription",
            name="server_key",
            field=models.CharField(blank=True, db_default="", default="", max_length=100),
        ),
        migrations.AddField(
            model_name="subscription",
            name="session",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
        migrations.AlterField(
            model_name="choices",
            name="mails",
            field=models.BooleanField(
                default=False,
                verbose_name="a mail a day while matches wait for me that no notice told me of",
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "It is my turn"),
                    ("day_left", "A day of my time is left, in a match of three or seven days a move"),
                    ("hours_left", "Two hours of my time are left, in a match of days"),
                    ("ended", "A match of days ends while I am away"),
                    ("challenge", "Somebody challenges me"),
                    ("rematch", "Somebody offers me a rematch"),
                    ("beginning", "A match of mine begins"),
                    ("night", "A club night that I follow begins"),
                    ("streak", "My streak of Daily Deals ends tonight"),
                    ("summary", "A week without a visit"),
                    ("test", "A test"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddIndex(
            model_name="subscription",
            index=models.Index(fields=["session"], name="subscriptions_by_session"),
        ),
        migrations.RunPython(bind_to_sessions, delete_unknown),
    ]
