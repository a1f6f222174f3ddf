"""People, their ratings and relations, and what moderators may do with them."""

import accounts.models
import accounts.names
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from accounts import moderators


GRANTED = (
    "view_user",
    "ban_user",
    "mute_user",
    "view_rating",
    "view_ratingchange",
    "view_sanction",
    "change_sanction",
)


def let_moderators(apps, schema_editor):
    moderators.grant(apps, schema_editor, "accounts", *GRANTED)


class Migration(migrations.Migration):
    replaces = [
        ('accounts', '0001_initial'),
        ('accounts', '0002_moderators'),
        ('accounts', '0003_ratings_that_resist_farming'),
        ('accounts', '0004_hashed_addresses'),
        ('accounts', '0005_relations'),
        ('accounts', '0006_sanctions'),
        ('accounts', '0007_pauses_and_names'),
        ('accounts', '0008_desk'),
        ('accounts', '0009_names_said_plainly'),
        ('accounts', '0010_called_off'),
        ('accounts', '0011_rating_limits'),
        ('accounts', '0012_retired_names'),
        ('accounts', '0013_commitments'),
        ('accounts', '0014_table_preferences'),
        ('accounts', '0015_leaderboard_from_the_first_match'),
        ('accounts', '0016_felt'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('username', accounts.names.NameField(error_messages={'unique': 'This name is taken.'}, max_length=20, unique=True, validators=[django.core.validators.RegexValidator('\\A[A-Za-z0-9_-]{2,20}\\Z', 'A name has 2 to 20 letters (a to z), digits, - or _.')], verbose_name='name')),
                ('look', models.GeneratedField(db_persist=True, expression=django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Lower('username'), models.Value('0'), models.Value('o')), models.Value('1'), models.Value('l')), models.Value('i'), models.Value('l')), models.Value('-'), models.Value('_')), output_field=models.CharField(max_length=20))),
                ('is_guest', models.BooleanField(default=False, verbose_name='guest')),
                ('deleted_at', models.DateTimeField(blank=True, null=True, verbose_name='deleted')),
                ('banned_at', models.DateTimeField(blank=True, null=True, verbose_name='banned')),
                ('banned_reason', models.CharField(blank=True, max_length=200, verbose_name='reason of the ban')),
                ('muted_until', models.DateTimeField(blank=True, null=True, verbose_name='muted until')),
                ('theme', models.CharField(choices=[('system', 'same as the system'), ('light', 'light'), ('dark', 'dark')], default='system', max_length=8, verbose_name='theme')),
                ('tiles', models.CharField(choices=[('ivory', 'ivory'), ('bone', 'white'), ('ebony', 'black')], default='ivory', max_length=8, verbose_name='tiles')),
                ('pips', models.CharField(choices=[('ink', 'one ink'), ('colour', 'in colour'), ('safe', 'colour-blind safe')], default='ink', max_length=8, verbose_name='pips')),
                ('sound', models.BooleanField(default=True, verbose_name='sound')),
                ('volume', models.PositiveSmallIntegerField(default=70, validators=[django.core.validators.MaxValueValidator(100)], verbose_name='volume')),
                ('animation', models.BooleanField(default=True, verbose_name='animations')),
                ('confirm_resign', models.BooleanField(default=True, verbose_name='ask before resigning')),
                ('automatic', models.BooleanField(default=False, verbose_name='draw and pass automatically when there is no other move')),
                ('keys', models.BooleanField(default=True, verbose_name='one-key shortcuts at the table')),
                ('language', models.CharField(blank=True, default='', max_length=8, verbose_name='language')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ('seen_at', models.DateTimeField(blank=True, null=True, verbose_name='last seen')),
                ('unrated_until', models.DateTimeField(blank=True, null=True, verbose_name='barred from rated play until')),
                ('call_pause', models.PositiveSmallIntegerField(choices=[(2, '2 seconds'), (4, '4 seconds'), (8, '8 seconds')], default=2, verbose_name='Pause for “Muggins!”')),
                ('computer_pause', models.PositiveSmallIntegerField(choices=[(0, 'as fast as they can'), (1, '1 second'), (2, '2 seconds'), (4, '4 seconds')], default=1, verbose_name='Computers’ pause')),
                ('banned_until', models.DateTimeField(blank=True, db_index=True, null=True, verbose_name='banned until')),
                ('unrevealed', models.PositiveIntegerField(db_default=0, default=0, verbose_name='nonces not revealed')),
                ('draws_singly', models.BooleanField(default=False, verbose_name='draw one tile at a time')),
                ('emotes', models.BooleanField(default=True, verbose_name='show emotes')),
                ('felt', models.CharField(choices=[('green', 'green'), ('blue', 'blue'), ('wine', 'wine'), ('slate', 'slate')], default='green', max_length=8, verbose_name='felt')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
                'permissions': [('ban_user', 'Can ban people'), ('mute_user', 'Can mute people')],
                'abstract': False,
                'indexes': [models.Index(django.db.models.functions.text.Lower('username'), name='names_whatever_their_case')],
                'constraints': [models.UniqueConstraint(fields=('look',), name='no_name_that_looks_like_another', violation_error_message='This name is taken, or looks like one that is.')],
            },
            managers=[
                ('objects', accounts.models.People()),
            ],
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(choices=[('muggins', 'Muggins and All Fives'), ('muggins-free', 'Muggins and All Fives, three or four'), ('muggins-pairs', 'Muggins and All Fives, pairs'), ('draw', 'Draw'), ('draw-free', 'Draw, three or four'), ('draw-pairs', 'Draw, pairs'), ('block', 'Block'), ('block-free', 'Block, three or four'), ('block-pairs', 'Block, pairs'), ('fives-and-threes', 'Fives and Threes'), ('fives-and-threes-free', 'Fives and Threes, three or four'), ('fives-and-threes-pairs', 'Fives and Threes, pairs'), ('sebastopol-free', 'Sebastopol, three or four'), ('sebastopol-pairs', 'Sebastopol, pairs'), ('latin-pairs', 'Latin American pairs'), ('cuban-pairs', 'Cuban double-nine'), ('jamaican', 'Jamaican'), ('jamaican-free', 'Jamaican, three or four'), ('jamaican-pairs', 'Jamaican, pairs'), ('kozel', 'Kozel (the Goat)'), ('kozel-free', 'Kozel (the Goat), three or four'), ('kozel-pairs', 'Kozel (the Goat), pairs'), ('five-up', 'Five-Up'), ('five-up-free', 'Five-Up, three or four'), ('five-up-pairs', 'Five-Up, pairs'), ('bergen', 'Bergen'), ('bergen-free', 'Bergen, three or four'), ('muggins-days', 'Muggins and All Fives, days a move'), ('muggins-free-days', 'Muggins and All Fives, three or four, days a move'), ('muggins-pairs-days', 'Muggins and All Fives, pairs, days a move'), ('draw-days', 'Draw, days a move'), ('draw-free-days', 'Draw, three or four, days a move'), ('draw-pairs-days', 'Draw, pairs, days a move'), ('block-days', 'Block, days a move'), ('block-free-days', 'Block, three or four, days a move'), ('block-pairs-days', 'Block, pairs, days a move'), ('fives-and-threes-days', 'Fives and Threes, days a move'), ('fives-and-threes-free-days', 'Fives and Threes, three or four, days a move'), ('fives-and-threes-pairs-days', 'Fives and Threes, pairs, days a move'), ('sebastopol-free-days', 'Sebastopol, three or four, days a move'), ('sebastopol-pairs-days', 'Sebastopol, pairs, days a move'), ('latin-pairs-days', 'Latin American pairs, days a move'), ('cuban-pairs-days', 'Cuban double-nine, days a move'), ('jamaican-days', 'Jamaican, days a move'), ('jamaican-free-days', 'Jamaican, three or four, days a move'), ('jamaican-pairs-days', 'Jamaican, pairs, days a move'), ('kozel-days', 'Kozel (the Goat), days a move'), ('kozel-free-days', 'Kozel (the Goat), three or four, days a move'), ('kozel-pairs-days', 'Kozel (the Goat), pairs, days a move'), ('five-up-days', 'Five-Up, days a move'), ('five-up-free-days', 'Five-Up, three or four, days a move'), ('five-up-pairs-days', 'Five-Up, pairs, days a move'), ('bergen-days', 'Bergen, days a move'), ('bergen-free-days', 'Bergen, three or four, days a move')], max_length=40, verbose_name='pool')),
                ('value', models.FloatField(default=1500.0, verbose_name='rating')),
                ('matches', models.PositiveIntegerField(default=0, verbose_name='matches')),
                ('wins', models.PositiveIntegerField(default=0, verbose_name='wins')),
                ('reached_2200', models.BooleanField(default=False)),
                ('ranked', models.BooleanField(default=False, verbose_name='on the leaderboard')),
                ('completed', models.PositiveIntegerField(default=0)),
                ('recent', models.JSONField(default=list)),
                ('updated_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='changed')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to=settings.AUTH_USER_MODEL, verbose_name='person')),
                ('opponents', models.JSONField(default=list)),
                ('called_off', models.JSONField(default=list)),
                ('established', models.BooleanField(default=False, verbose_name='established')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('ranked', True)), fields=['pool', '-value', 'id'], name='the_leaderboard'), models.Index(condition=models.Q(('established', True), ('ranked', True)), fields=['pool', '-value', 'id'], name='the_established')],
                'constraints': [models.UniqueConstraint(fields=('user', 'pool'), name='one_rating_a_pool')],
                'verbose_name': 'rating',
                'verbose_name_plural': 'ratings',
            },
        ),
        migrations.CreateModel(
            name='RatingBand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(max_length=40)),
                ('band', models.IntegerField()),
                ('players', models.IntegerField(default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('pool', 'band'), name='one_band_a_pool')],
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('match_code', models.CharField(max_length=10, verbose_name='match')),
                ('order', models.PositiveBigIntegerField(verbose_name='place among rated matches')),
                ('before', models.FloatField(verbose_name='before')),
                ('after', models.FloatField(verbose_name='after')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('rating', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='accounts.rating', verbose_name='rating')),
                ('weight', models.FloatField(default=1.0, verbose_name='weight')),
                ('young', models.BooleanField(default=False)),
                ('exempt_beside', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('limited_by', models.CharField(blank=True, choices=[('', 'None'), ('new', 'New Accounts'), ('opponent', 'Opponent'), ('winner', 'Winner')], default='', max_length=8)),
                ('shares', models.JSONField(default=list)),
            ],
            options={
                'indexes': [models.Index(fields=['rating', 'at'], name='recent_changes'), models.Index(fields=['at'], name='changes_by_time')],
                'constraints': [models.UniqueConstraint(fields=('rating', 'order'), name='one_change_a_place'), models.UniqueConstraint(fields=('rating', 'match_code'), name='one_change_a_match')],
                'verbose_name': 'change of a rating',
                'verbose_name_plural': 'changes of ratings',
            },
        ),
        migrations.CreateModel(
            name='Relation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('follow', 'follow'), ('block', 'block'), ('mute', 'mute')], max_length=8)),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='relations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('person', 'other', 'kind'), name='said_once'), models.CheckConstraint(condition=models.Q(('person', models.F('other')), _negated=True), name='nobody_about_themselves')],
            },
        ),
        migrations.CreateModel(
            name='Sanction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warning', 'warning'), ('mute', 'muted'), ('unrated', 'barred from rated play'), ('ban', 'banned')], max_length=8, verbose_name='kind')),
                ('reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('appeal', models.CharField(blank=True, max_length=200, verbose_name='how to appeal')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='when')),
                ('until', models.DateTimeField(blank=True, null=True, verbose_name='until')),
                ('undone_at', models.DateTimeField(blank=True, null=True, verbose_name='undone')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='imposed by')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sanctions', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'ordering': ['-at'],
                'verbose_name': 'sanction',
                'verbose_name_plural': 'sanctions',
            },
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=1000)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at'],
            },
        ),
        migrations.CreateModel(
            name='KnownBrowser',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(db_index=True, max_length=64)),
                ('seen_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key', 'user'), name='a_browser_knows_somebody_once')],
            },
        ),
        migrations.CreateModel(
            name='RetiredName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64, unique=True)),
                ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
        ),
        migrations.RunPython(let_moderators, migrations.RunPython.noop),
    ]
