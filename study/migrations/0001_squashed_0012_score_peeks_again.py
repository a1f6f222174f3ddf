"""Analyses, puzzles and what they are made from."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ('study', '0001_analyses'),
        ('study', '0002_chain_and_numbers'),
        ('study', '0003_puzzles'),
        ('study', '0004_puzzle_sources'),
        ('study', '0005_count_hands_together'),
        ('study', '0006_commitments'),
        ('study', '0007_shipped_puzzles'),
        ('study', '0008_checkpoints'),
        ('study', '0009_shared_deals'),
        ('study', '0010_peek_scores'),
        ('study', '0011_puzzle_runs'),
        ('study', '0012_score_peeks_again'),
    ]

    initial = True

    dependencies = [
        ('games', '0018_shared_deals'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Analysis',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed')], db_index=True, default='queued', max_length=10)),
                ('progress', models.FloatField(default=0)),
                ('engine', models.CharField(blank=True, max_length=20)),
                ('result', models.JSONField(blank=True, null=True)),
                ('asked_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('taken_at', models.DateTimeField(blank=True, null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='analyses_asked_for', to=settings.AUTH_USER_MODEL)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='analysis', to='games.match')),
            ],
            options={
                'verbose_name_plural': 'analyses',
            },
        ),
        migrations.CreateModel(
            name='SeatStudied',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decisions', models.PositiveIntegerField()),
                ('lost', models.FloatField()),
                ('lost_squared', models.FloatField()),
                ('luck', models.FloatField(blank=True, null=True)),
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='studied', to='games.seat')),
            ],
            options={
                'verbose_name_plural': 'seats studied',
            },
        ),
        migrations.CreateModel(
            name='ChainHead',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField()),
                ('hash', models.CharField(max_length=64)),
                ('at', models.DateTimeField(db_index=True)),
                ('checkpoint', models.TextField(blank=True, db_default='', default='')),
            ],
        ),
        migrations.CreateModel(
            name='SealLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(unique=True)),
                ('code', models.CharField(max_length=40)),
                ('seal', models.CharField(max_length=64)),
                ('hash', models.CharField(max_length=64)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('code', 'seal'), name='one_link_a_seal')],
            },
        ),
        migrations.CreateModel(
            name='Counted',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('counts', models.JSONField()),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='counted', to='games.match')),
            ],
            options={
                'verbose_name_plural': 'counted',
            },
        ),
        migrations.CreateModel(
            name='Puzzle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('tried', models.JSONField()),
                ('rating', models.FloatField(default=1500.0)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('solved', models.PositiveIntegerField(default=0)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='puzzles', to='games.match')),
                ('position', models.JSONField(blank=True, default=dict)),
                ('shipped', models.CharField(blank=True, max_length=60, null=True, unique=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='one_puzzle_a_move'), models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', False), ('shipped__isnull', True)), models.Q(('match__isnull', True), ('shipped__isnull', False)), _connector='OR'), name='puzzle_of_a_match_or_shipped')],
            },
        ),
        migrations.CreateModel(
            name='PuzzleTry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('move', models.CharField(max_length=40)),
                ('solved', models.BooleanField()),
                ('before', models.FloatField()),
                ('after', models.FloatField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='study.puzzle')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='puzzle_tries', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'puzzle tries',
                'indexes': [models.Index(fields=['user', 'at'], name='study_puzzl_user_id_4f4659_idx')],
                'constraints': [models.UniqueConstraint(fields=('puzzle', 'user'), name='one_first_answer')],
            },
        ),
        migrations.CreateModel(
            name='PuzzleSource',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='puzzle_source', to='games.match')),
            ],
        ),
        migrations.CreateModel(
            name='PeekSource',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='peek_source', to='games.match')),
            ],
        ),
        migrations.CreateModel(
            name='PeekScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decisions', models.PositiveIntegerField()),
                ('rounds', models.PositiveIntegerField()),
                ('total', models.FloatField()),
                ('squares', models.FloatField()),
                ('other', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.seat')),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='peeks', to='games.seat')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('seat', 'other'), name='one_peek_score_a_pair')],
            },
        ),
        migrations.CreateModel(
            name='PuzzleRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField()),
                ('solved', models.PositiveSmallIntegerField(default=0)),
                ('missed', models.PositiveSmallIntegerField(default=0)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='puzzle_runs', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'began_at'), name='one_row_a_run')],
            },
        ),
    ]
