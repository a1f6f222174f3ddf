"""What the operator sets; reasons of sanctions and pages for a new site to begin with."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import operators.models
import operators.translated
from django.conf import settings
from django.db import migrations, models

from operators.reasons import SAMPLES
from operators.samples import PAGES


def create_reasons(apps, schema_editor):
    model = apps.get_model("operators", "ReasonTemplate")
    model.objects.using(schema_editor.connection.alias).bulk_create(
        model(category=category, text=dict(text), order=place)
        for place, (category, text) in enumerate(SAMPLES, 1)
    )


def create_pages(apps, schema_editor):
    model = apps.get_model("operators", "Page")
    model.objects.using(schema_editor.connection.alias).bulk_create(
        model(slug=slug, title=dict(title), body=dict(body)) for slug, (title, body) in PAGES.items()
    )


class Migration(migrations.Migration):
    replaces = [
        ('operators', '0001_initial'),
        ('operators', '0002_samples'),
        ('operators', '0003_pages'),
        ('operators', '0004_halted_matches'),
        ('operators', '0005_limits'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='MailText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=40, unique=True, verbose_name='mail')),
                ('subject', operators.translated.TranslatedField(blank=True, default=dict, verbose_name='subject')),
                ('body', operators.translated.TranslatedField(blank=True, default=dict, verbose_name='text')),
            ],
            options={
                'verbose_name': 'text of a mail',
                'verbose_name_plural': 'texts of mails',
                'ordering': ['key'],
            },
        ),
        migrations.CreateModel(
            name='News',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', operators.translated.TranslatedField(default=dict, verbose_name='title')),
                ('body', operators.translated.TranslatedField(default=dict, help_text='In Markdown, without HTML and pictures.', verbose_name='text')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, help_text='Shown from then on.', verbose_name='published')),
            ],
            options={
                'verbose_name': 'news',
                'verbose_name_plural': 'news',
                'ordering': ['-at'],
            },
        ),
        migrations.CreateModel(
            name='Page',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(choices=[('about', '/about/'), ('terms', '/terms/'), ('privacy', '/privacy/')], max_length=20, unique=True, verbose_name='address')),
                ('title', operators.translated.TranslatedField(default=dict, verbose_name='title')),
                ('body', operators.translated.TranslatedField(blank=True, default=dict, help_text='In Markdown, without HTML and pictures.', verbose_name='text')),
            ],
            options={
                'verbose_name': 'page',
                'verbose_name_plural': 'pages',
                'ordering': ['slug'],
            },
        ),
        migrations.CreateModel(
            name='ReasonTemplate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('category', models.CharField(blank=True, max_length=10, verbose_name='for reports of')),
                ('text', operators.translated.TranslatedField(default=dict, verbose_name='reason')),
                ('order', models.PositiveSmallIntegerField(default=0, verbose_name='place')),
            ],
            options={
                'verbose_name': 'reason for a sanction',
                'verbose_name_plural': 'reasons for sanctions',
                'ordering': ['order', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='SiteSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(default='Boneyard', max_length=40, verbose_name='name of the site')),
                ('description', operators.translated.TranslatedField(blank=True, default=dict, verbose_name='short description')),
                ('operator', models.CharField(blank=True, max_length=200, verbose_name='operator')),
                ('contact', models.CharField(blank=True, help_text='An e-mail address, or how else to reach you.', max_length=200, verbose_name='contact')),
                ('announcement', operators.translated.TranslatedField(blank=True, default=dict, verbose_name='announcement')),
                ('announced_from', models.DateTimeField(blank=True, null=True, verbose_name='from')),
                ('announced_until', models.DateTimeField(blank=True, null=True, verbose_name='until')),
                ('level', models.CharField(choices=[('info', 'information'), ('warning', 'warning')], default='info', max_length=8, verbose_name='level')),
                ('maintenance', models.BooleanField(default=False, help_text='New tables and matches are refused, except for staff.', verbose_name='maintenance')),
                ('maintenance_text', operators.translated.TranslatedField(blank=True, default=dict, verbose_name='sentence during maintenance')),
                ('registration', models.CharField(choices=[('open', 'open to everybody'), ('invitation', 'by invitation'), ('closed', 'closed')], default='open', max_length=12, verbose_name='registration')),
                ('guests', models.BooleanField(default=True, verbose_name='guests may play')),
                ('public_talk', models.BooleanField(default=True, help_text='Off: nobody can write at tables or among spectators.', verbose_name='talk')),
                ('appeal', operators.translated.TranslatedField(blank=True, default=dict, verbose_name='how to appeal')),
                ('games', models.JSONField(blank=True, default=list, verbose_name='games on quick play')),
                ('clocks', models.JSONField(blank=True, default=list, verbose_name='time controls offered')),
                ('changed_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('matches_halt', models.BooleanField(db_default=False, default=False, help_text='During maintenance: moves are refused, and clocks go on afterwards where they were. Else matches go on.', verbose_name='running matches stand still')),
                ('accounts_limit', models.PositiveSmallIntegerField(db_default=100, default=100, help_text='From 1 to 1000; 100 on a new site.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000)], verbose_name='new accounts an address and day')),
                ('guests_limit', models.PositiveSmallIntegerField(db_default=60, default=60, help_text='From 1 to 1000; 60 on a new site.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000)], verbose_name='new guests an address and hour')),
                ('lines_limit', models.PositiveSmallIntegerField(db_default=5, default=5, help_text='From 1 to 30; 5 on a new site.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(30)], verbose_name='lines of talk in ten seconds')),
                ('reports_limit', models.PositiveSmallIntegerField(db_default=20, default=20, help_text='From 1 to 200; 20 on a new site.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)], verbose_name='reports a person and day')),
                ('tables_limit', models.PositiveSmallIntegerField(db_default=3, default=3, help_text='From 1 to 20; 3 on a new site.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(20)], verbose_name='open tables that a person sits at')),
            ],
            options={
                'verbose_name': 'settings of this site',
                'verbose_name_plural': 'settings of this site',
            },
        ),
        migrations.CreateModel(
            name='HourlyFigure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hour', models.DateTimeField()),
                ('name', models.CharField(max_length=20)),
                ('value', models.FloatField(default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('name', 'hour'), name='one_figure_an_hour')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(default=operators.models.make_token, editable=False, max_length=32, unique=True)),
                ('note', models.CharField(blank=True, max_length=100, verbose_name='for whom')),
                ('uses', models.PositiveIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='uses')),
                ('used', models.PositiveIntegerField(default=0, editable=False, verbose_name='used')),
                ('expires_at', models.DateTimeField(blank=True, null=True, verbose_name='valid until')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='when')),
                ('by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
                'ordering': ['-at'],
            },
        ),
        migrations.RunPython(create_reasons, migrations.RunPython.noop),
        migrations.RunPython(create_pages, migrations.RunPython.noop),
    ]
