"""Matches, seats, moves, secrets, talk and reports, and what moderators may do with them."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from accounts import moderators


GRANTED = (
    "view_match",
    "change_match",
    "view_report",
    "change_report",
    "view_talk",
    "change_talk",
    "view_seat",
    "view_move",
)


def let_moderators(apps, schema_editor):
    moderators.grant(apps, schema_editor, "games", *GRANTED)


class Migration(migrations.Migration):
    replaces = [
        ('games', '0001_initial'),
        ('games', '0002_outages'),
        ('games', '0003_secrets_apart'),
        ('games', '0004_presence'),
        ('games', '0005_pools_by_shape'),
        ('games', '0006_calling_off'),
        ('games', '0007_reports_of_people'),
        ('games', '0008_pauses_and_names'),
        ('games', '0009_leavers'),
        ('games', '0010_rematch'),
        ('games', '0011_the_cast'),
        ('games', '0012_processes'),
        ('games', '0013_fair_ratings'),
        ('games', '0014_presence_on_every_page'),
        ('games', '0015_recompute_ratings'),
        ('games', '0016_commitments'),
        ('games', '0017_emotes'),
        ('games', '0018_shared_deals'),
        ('games', '0019_lease_of_recomputation'),
        ('games', '0020_halt'),
        ('games', '0021_clocks_of_days'),
        ('games', '0022_casual_by'),
        ('games', '0023_conditional_moves'),
        ('games', '0024_matches_by_result'),
        ('games', '0025_base_preset'),
    ]

    initial = True

    dependencies = [
        ('accounts', '0011_rating_limits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RatingOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('last', models.PositiveBigIntegerField(default=0)),
            ],
            options={
                'verbose_name_plural': 'rating order',
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=10, unique=True, verbose_name='code')),
                ('preset', models.CharField(blank=True, max_length=40, null=True, verbose_name='game')),
                ('pool', models.CharField(blank=True, max_length=40, verbose_name='pool')),
                ('rules', models.JSONField(verbose_name='rules')),
                ('rated', models.BooleanField(verbose_name='rated')),
                ('private', models.BooleanField(default=False, verbose_name='only with the link')),
                ('clock_seconds', models.PositiveIntegerField(blank=True, null=True, verbose_name='seconds for the match')),
                ('clock_increment', models.PositiveIntegerField(blank=True, null=True, verbose_name='seconds for each move')),
                ('seal', models.CharField(max_length=64, verbose_name='seal')),
                ('entropy', models.TextField(blank=True, verbose_name='what the players added')),
                ('status', models.CharField(choices=[('playing', 'playing'), ('finished', 'finished')], db_index=True, default='playing', max_length=10, verbose_name='status')),
                ('version', models.PositiveIntegerField(default=0, verbose_name='moves')),
                ('next_action_at', models.DateTimeField(blank=True, db_index=True, null=True, verbose_name='next due')),
                ('turn_began_at', models.DateTimeField()),
                ('pause_until', models.DateTimeField(blank=True, null=True)),
                ('wait_until', models.DateTimeField(blank=True, null=True)),
                ('result_how', models.CharField(blank=True, max_length=10, verbose_name='how it ended')),
                ('winners', models.JSONField(blank=True, null=True, verbose_name='winners')),
                ('scores', models.JSONField(default=list, verbose_name='scores')),
                ('started_at', models.DateTimeField(verbose_name='began')),
                ('ended_at', models.DateTimeField(blank=True, db_index=True, null=True, verbose_name='ended')),
                ('rating_order', models.PositiveBigIntegerField(blank=True, null=True, unique=True, verbose_name='place among rated matches')),
                ('annulled_at', models.DateTimeField(blank=True, null=True, verbose_name='annulled')),
                ('rematch_code', models.CharField(blank=True, max_length=10)),
                ('looked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('prodded_at', models.DateTimeField(blank=True, null=True)),
                ('prodded_by', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('call_pause', models.PositiveSmallIntegerField(choices=[(2, '2 seconds'), (4, '4 seconds'), (8, '8 seconds')], default=2)),
                ('computer_pause', models.PositiveSmallIntegerField(choices=[(0, 'as fast as they can'), (1, '1 second'), (2, '2 seconds'), (4, '4 seconds')], default=1)),
                ('leaver', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('leaving', models.CharField(blank=True, max_length=10)),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('rematch_until', models.DateTimeField(blank=True, null=True)),
                ('agreed', models.JSONField(default=list)),
                ('casual_since', models.DateTimeField(blank=True, null=True)),
                ('length_scale', models.FloatField(default=1.0)),
                ('commitments', models.JSONField(blank=True, null=True)),
                ('concealed', models.BooleanField(db_default=False, default=False)),
                ('deals', models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='shared deals')),
                ('turn_used_ms', models.PositiveIntegerField(db_default=0, default=0)),
                ('casual_by', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('base_preset', models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='derived from')),
            ],
            options={
                'verbose_name_plural': 'matches',
                'ordering': ['-started_at'],
                'indexes': [models.Index(fields=['status', '-ended_at'], name='games_match_status_ad7c59_idx'), models.Index(fields=['result_how', '-id'], name='matches_by_result')],
                'verbose_name': 'match',
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('kind', models.CharField(choices=[('player', 'player'), ('guest', 'guest'), ('computer', 'computer')], max_length=10, verbose_name='kind')),
                ('level', models.CharField(blank=True, max_length=10, verbose_name='level')),
                ('name', models.CharField(max_length=150, verbose_name='name')),
                ('clock_ms', models.PositiveIntegerField(blank=True, null=True)),
                ('taken_over', models.BooleanField(default=False)),
                ('left', models.BooleanField(default=False, verbose_name='has left')),
                ('continued_round', models.PositiveIntegerField(default=0)),
                ('rating_before', models.FloatField(blank=True, null=True, verbose_name='rating before')),
                ('rating_after', models.FloatField(blank=True, null=True, verbose_name='rating after')),
                ('score', models.IntegerField(blank=True, null=True, verbose_name='score')),
                ('won', models.BooleanField(blank=True, null=True, verbose_name='won')),
                ('missed', models.PositiveIntegerField(default=0)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.match')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='seats', to=settings.AUTH_USER_MODEL, verbose_name='person')),
                ('page_at', models.DateTimeField(blank=True, null=True)),
                ('hand_seen_at', models.DateTimeField(blank=True, null=True)),
                ('called_off', models.BooleanField(default=False)),
                ('completion', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('slow_turns', models.PositiveSmallIntegerField(default=0)),
                ('rematch', models.CharField(blank=True, choices=[('asked', 'wants a rematch'), ('declined', 'declined a rematch')], max_length=10)),
                ('figure', models.PositiveSmallIntegerField(default=0)),
                ('unfinished', models.BooleanField(default=False)),
            ],
            options={
                'ordering': ['position'],
                'indexes': [models.Index(condition=models.Q(('score__isnull', True)), fields=['user'], name='seats_in_play')],
                'constraints': [models.UniqueConstraint(fields=('match', 'position'), name='one_seat_a_position'), models.UniqueConstraint(condition=models.Q(('user__isnull', False)), fields=('match', 'user'), name='one_seat_a_person')],
                'verbose_name': 'seat',
                'verbose_name_plural': 'seats',
            },
        ),
        migrations.CreateModel(
            name='Connection',
            fields=[
                ('channel', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('seen_at', models.DateTimeField(db_index=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('clean', models.BooleanField(default=False)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='connections', to='games.match')),
                ('seat', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='connections', to='games.seat')),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('process', models.CharField(blank=True, db_default='', max_length=32)),
                ('elsewhere', models.BooleanField(db_default=False, default=False)),
            ],
            options={
                'indexes': [models.Index(fields=['match', 'seat'], name='games_conne_match_i_9ff232_idx')],
            },
        ),
        migrations.CreateModel(
            name='Talk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=150, verbose_name='name')),
                ('room', models.CharField(choices=[('table', 'at the table'), ('watchers', 'among the spectators')], max_length=10, verbose_name='room')),
                ('text', models.CharField(max_length=140, verbose_name='line')),
                ('hidden', models.BooleanField(default=False, verbose_name='hidden')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='when')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='talk', to='games.match', verbose_name='match')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person')),
                ('is_emote', models.BooleanField(db_default=False, default=False, verbose_name='emote')),
            ],
            options={
                'verbose_name_plural': 'talk',
                'ordering': ['id'],
                'indexes': [models.Index(fields=['match', 'room', 'id'], name='games_talk_match_i_78f9fc_idx')],
                'verbose_name': 'line of talk',
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=500, verbose_name='in their words')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='when')),
                ('handled_at', models.DateTimeField(blank=True, null=True, verbose_name='handled')),
                ('handled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='handled by')),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.match', verbose_name='match')),
                ('reporter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='reported by')),
                ('talk', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to='games.talk', verbose_name='line')),
                ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person')),
                ('category', models.CharField(blank=True, choices=[('stalling', 'plays for time'), ('leaving', 'leaves matches'), ('talk', 'insults or harasses'), ('name', 'an offensive name'), ('collusion', 'plays together with an opponent'), ('computer', 'has a computer play'), ('accounts', 'has several accounts'), ('rating', 'loses or wins on purpose')], max_length=10, verbose_name='what about')),
                ('outcome', models.CharField(blank=True, choices=[('acted', 'the moderators have acted'), ('nothing', 'the moderators saw no reason to act')], max_length=10, verbose_name='outcome')),
            ],
            options={
                'ordering': ['handled_at', 'at'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('reporter__isnull', False), ('talk__isnull', False)), fields=('talk', 'reporter'), name='one_report_a_line')],
                'verbose_name': 'report',
                'verbose_name_plural': 'reports',
            },
        ),
        migrations.CreateModel(
            name='Move',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('text', models.CharField(max_length=40, verbose_name='move')),
                ('claim', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='claimed')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='games.match')),
            ],
            options={
                'ordering': ['match', 'number'],
                'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='one_move_a_number')],
                'verbose_name': 'move',
                'verbose_name_plural': 'moves',
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('halted', models.BooleanField(db_default=False, default=False)),
            ],
        ),
        migrations.CreateModel(
            name='Rerating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(max_length=40, unique=True, verbose_name='pool')),
                ('asked_at', models.DateTimeField(verbose_name='asked for')),
                ('taken_at', models.DateTimeField(blank=True, null=True, verbose_name='last sign of progress')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='matches done')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='matches in all')),
                ('owner', models.CharField(blank=True, db_default='', default='', max_length=80, verbose_name='process')),
                ('phase', models.CharField(choices=[('waiting', 'waiting'), ('computing', 'being computed'), ('writing', 'being written')], db_default='waiting', default='waiting', max_length=10, verbose_name='what happens')),
            ],
            options={
                'verbose_name_plural': 'ratings being computed anew',
                'verbose_name': 'rating being computed anew',
            },
        ),
        migrations.CreateModel(
            name='SealedSecret',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(db_index=True, max_length=40)),
                ('secret', models.CharField(editable=False, max_length=64)),
                ('seal', models.CharField(max_length=64)),
                ('sealed_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='Process',
            fields=[
                ('key', models.CharField(max_length=32, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('mended_at', models.DateTimeField()),
            ],
            options={
                'verbose_name_plural': 'processes',
            },
        ),
        migrations.CreateModel(
            name='SeatAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=10)),
                ('address', models.CharField(max_length=39)),
                ('at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('code', 'user', 'address'), name='one_row_an_address')],
            },
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField(verbose_name='began')),
                ('ends_at', models.DateTimeField(verbose_name='ends')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacations', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'verbose_name': 'vacation',
                'verbose_name_plural': 'vacations',
                'ordering': ['-began_at'],
            },
        ),
        migrations.CreateModel(
            name='ConditionalMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('condition', models.CharField(blank=True, max_length=10)),
                ('move', models.CharField(max_length=10)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='conditional_moves', to='games.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='conditional_moves', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('match', 'user', 'condition'), name='one_move_a_condition')],
            },
        ),
        migrations.RunPython(let_moderators, migrations.RunPython.noop),
    ]
