"""Tables, club nights and the site's own games; the nights of a new site."""

import django.core.validators
import django.db.models.deletion
import operators.translated
from django.conf import settings
from django.db import migrations, models

from accounts import moderators

# Weekday (0 is Monday), hour and game of the nights of a new site.
NIGHTS = ((2, 19, "all-fives"), (6, 17, "draw"))


def let_moderators(apps, schema_editor):
    moderators.grant(apps, schema_editor, "lobbies", "view_table", "view_sitting")


def create_nights(apps, schema_editor):
    night = apps.get_model("lobbies", "ClubNight")
    for weekday, hour, preset in NIGHTS:
        night.objects.create(weekday=weekday, hour=hour, preset=preset)


class Migration(migrations.Migration):
    replaces = [
        ('lobbies', '0001_initial'),
        ('lobbies', '0002_secrets_apart'),
        ('lobbies', '0003_challenges'),
        ('lobbies', '0004_moderators'),
        ('lobbies', '0005_pauses_and_names'),
        ('lobbies', '0006_slow'),
        ('lobbies', '0007_the_cast'),
        ('lobbies', '0008_host'),
        ('lobbies', '0009_addresses_apart'),
        ('lobbies', '0010_commitments'),
        ('lobbies', '0011_club_nights'),
        ('lobbies', '0012_site_games'),
    ]

    initial = True

    dependencies = [
        ('accounts', '0002_moderators'),
        ('games', '0013_fair_ratings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=10, unique=True, verbose_name='code')),
                ('preset', models.CharField(max_length=40, verbose_name='game')),
                ('rules', models.JSONField(verbose_name='rules')),
                ('changed', models.BooleanField(default=False, verbose_name='house rules')),
                ('seats', models.PositiveSmallIntegerField(verbose_name='seats')),
                ('rated', models.BooleanField(verbose_name='rated')),
                ('private', models.BooleanField(default=False, verbose_name='only with the link')),
                ('clock_seconds', models.PositiveIntegerField(blank=True, null=True, verbose_name='seconds for the match')),
                ('clock_increment', models.PositiveIntegerField(blank=True, null=True, verbose_name='seconds for each move')),
                ('seal', models.CharField(max_length=64, verbose_name='seal')),
                ('status', models.CharField(choices=[('open', 'open'), ('started', 'started'), ('closed', 'closed')], default='open', max_length=10, verbose_name='status')),
                ('quick', models.BooleanField(default=False, verbose_name='from quick play')),
                ('rematch_of', models.CharField(blank=True, max_length=10, verbose_name='rematch of')),
                ('moved_to', models.CharField(blank=True, max_length=10, verbose_name='moved to')),
                ('created_at', models.DateTimeField(verbose_name='made')),
                ('full_at', models.DateTimeField(blank=True, null=True, verbose_name='full')),
                ('kept_for', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to=settings.AUTH_USER_MODEL, verbose_name='kept for')),
                ('call_pause', models.PositiveSmallIntegerField(choices=[(2, '2 seconds'), (4, '4 seconds'), (8, '8 seconds')], default=2)),
                ('computer_pause', models.PositiveSmallIntegerField(choices=[(0, 'as fast as they can'), (1, '1 second'), (2, '2 seconds'), (4, '4 seconds')], default=1)),
                ('host', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
                ('committed_at', models.DateTimeField(blank=True, null=True)),
                ('reseals', models.PositiveSmallIntegerField(db_default=0, default=0)),
            ],
            options={
                'ordering': ['-created_at'],
                'indexes': [models.Index(fields=['status', '-created_at'], name='the_open_tables')],
                'constraints': [models.UniqueConstraint(condition=models.Q(models.Q(('rematch_of', ''), _negated=True), models.Q(('status', 'closed'), _negated=True)), fields=('rematch_of',), name='one_rematch_a_match')],
                'verbose_name': 'table',
                'verbose_name_plural': 'tables',
            },
        ),
        migrations.CreateModel(
            name='Sitting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('level', models.CharField(blank=True, max_length=10, verbose_name='level')),
                ('rating', models.FloatField(blank=True, null=True, verbose_name='rating')),
                ('nonce', models.CharField(blank=True, max_length=64, null=True)),
                ('seen_at', models.DateTimeField()),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sittings', to=settings.AUTH_USER_MODEL, verbose_name='person')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sittings', to='lobbies.table')),
                ('completion', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('slow', models.BooleanField(default=False)),
                ('figure', models.PositiveSmallIntegerField(default=0)),
                ('commitment', models.CharField(blank=True, max_length=64, null=True)),
                ('socket_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['position'],
                'constraints': [models.UniqueConstraint(fields=('table', 'position'), name='one_sitting_a_position'), models.UniqueConstraint(condition=models.Q(('user__isnull', False)), fields=('table', 'user'), name='one_sitting_a_person')],
                'verbose_name': 'sitting',
                'verbose_name_plural': 'sittings',
            },
        ),
        migrations.CreateModel(
            name='ClubNight',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                ('weekday', models.PositiveSmallIntegerField(choices=[(0, 'Monday'), (1, 'Tuesday'), (2, 'Wednesday'), (3, 'Thursday'), (4, 'Friday'), (5, 'Saturday'), (6, 'Sunday')], verbose_name='day')),
                ('hour', models.PositiveSmallIntegerField(validators=[django.core.validators.MaxValueValidator(23)], verbose_name='hour (UTC)')),
                ('preset', models.CharField(blank=True, max_length=40, verbose_name='game')),
                ('language', models.CharField(blank=True, max_length=8, verbose_name='language')),
                ('reminded_for', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'verbose_name': 'club night',
                'verbose_name_plural': 'club nights',
                'ordering': ['weekday', 'hour', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('hour__lte', 23)), name='night_hour_of_a_day')],
            },
        ),
        migrations.CreateModel(
            name='NightFollower',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('dismissed_for', models.DateTimeField(blank=True, null=True)),
                ('night', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='lobbies.clubnight')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='followed_nights', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('night', 'user'), name='one_follower_a_night')],
            },
        ),
        migrations.CreateModel(
            name='SiteGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40, unique=True, verbose_name='address')),
                ('title', operators.translated.TranslatedField(default=dict, verbose_name='title')),
                ('about', operators.translated.TranslatedField(blank=True, default=dict, verbose_name='about it')),
                ('preset', models.CharField(max_length=40, verbose_name='derived from')),
                ('seats', models.PositiveSmallIntegerField(verbose_name='seats')),
                ('rules', models.JSONField(verbose_name='rules')),
                ('offered', models.BooleanField(default=True, verbose_name='offered')),
            ],
            options={
                'verbose_name': 'game of this site',
                'verbose_name_plural': 'games of this site',
                'ordering': ['slug'],
            },
        ),
        migrations.RunPython(let_moderators, migrations.RunPython.noop),
        migrations.RunPython(create_nights, migrations.RunPython.noop),
    ]
