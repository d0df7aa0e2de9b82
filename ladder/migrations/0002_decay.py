import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='DecayPause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_day', models.DateField(verbose_name='from')),
                ('last_day', models.DateField(verbose_name='to')),
                ('reason', models.TextField(help_text='the players read this', verbose_name='reason')),
                ('declared_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='declared')),
                ('settled_at', models.DateTimeField(null=True, verbose_name='charges taken back')),
            ],
            options={
                'verbose_name': 'decay pause',
                'verbose_name_plural': 'decay pauses',
                'ordering': ['-first_day'],
            },
        ),
        migrations.CreateModel(
            name='DecayRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='day')),
                ('state', models.CharField(choices=[('running', 'running'), ('completed', 'completed'), ('paused', 'spared by a pause'), ('reverting', 'being reverted'), ('reverted', 'reverted')], default='running', max_length=10, verbose_name='state')),
                ('standings', models.PositiveIntegerField(default=0, verbose_name='standings')),
                ('points', models.DecimalField(decimal_places=2, default=0, max_digits=14, verbose_name='points taken')),
                ('by_tier', models.JSONField(default=dict, verbose_name='points by tier')),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='started')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished')),
                ('error', models.TextField(blank=True, default='', verbose_name='last error')),
                ('revert_reason', models.TextField(blank=True, default='', verbose_name='reverted because')),
            ],
            options={
                'verbose_name': 'decay run',
                'verbose_name_plural': 'decay runs',
                'ordering': ['-day', 'ladder'],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('decay_ahead', 'decay is ahead')], max_length=24, verbose_name='kind')),
                ('data', models.JSONField(default=dict, verbose_name='data')),
                ('once', models.CharField(max_length=64, null=True, verbose_name='only once under')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='time')),
            ],
            options={
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
            },
        ),
        migrations.RemoveConstraint(
            model_name='ratingentry',
            name='entry_is_whole_for_its_kind',
        ),
        migrations.AddField(
            model_name='ratingentry',
            name='idle_since',
            field=models.DateField(null=True, verbose_name='idle since'),
        ),
        migrations.AddField(
            model_name='standing',
            name='decayed_through',
            field=models.DateField(null=True, verbose_name='last decayed day'),
        ),
        # Checked for new rows at once, and for those already there by the next migration, without a long lock.
        AddConstraintNotValid(
            model_name='ratingentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('day__isnull', True), ('experience_after__gt', models.F('experience_before')), ('idle_since__isnull', True), ('k__isnull', False), ('kind', 'settlement'), ('match__isnull', False), ('opponent_rating__isnull', False), ('reverses__isnull', True), ('winner_probability__isnull', False), ('won__isnull', False)), models.Q(('day__isnull', False), ('delta__lt', 0), ('experience_after', models.F('experience_before')), ('follows__isnull', True), ('idle_since__isnull', False), ('idle_since__lt', models.F('day')), ('kind', 'decay'), ('match__isnull', True), ('reverses__isnull', True)), models.Q(('follows__isnull', True), ('idle_since__isnull', True), ('kind', 'reversal'), ('reverses__isnull', False), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='entry_is_whole_for_its_kind'),
        ),
        migrations.AddField(
            model_name='decaypause',
            name='declared_by',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='declared by'),
        ),
        migrations.AddField(
            model_name='decaypause',
            name='ladder',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decay_pauses', to='ladder.ladder', verbose_name='ladder'),
        ),
        migrations.AddField(
            model_name='decayrun',
            name='ladder',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='decay_runs', to='ladder.ladder', verbose_name='ladder'),
        ),
        migrations.AddField(
            model_name='decayrun',
            name='reverted_by',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='reverted by'),
        ),
        migrations.AddField(
            model_name='event',
            name='account',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='events', to=settings.AUTH_USER_MODEL, verbose_name='account'),
        ),
        migrations.AddConstraint(
            model_name='decaypause',
            constraint=models.CheckConstraint(condition=models.Q(('first_day__lte', models.F('last_day'))), name='pause_ends_after_it_begins'),
        ),
        migrations.AddConstraint(
            model_name='decayrun',
            constraint=models.UniqueConstraint(fields=('ladder', 'day'), name='one_decay_run_per_ladder_and_day'),
        ),
        migrations.AddConstraint(
            model_name='decayrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('finished_at__isnull', False)), _connector='OR'), name='decay_run_finished_means_a_time'),
        ),
        migrations.AddConstraint(
            model_name='decayrun',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reverted_by__isnull', False), ('state__in', ['reverting', 'reverted']), models.Q(('revert_reason', ''), _negated=True)), models.Q(('revert_reason', ''), ('reverted_by__isnull', True), ('state__in', ['running', 'completed', 'paused'])), _connector='OR'), name='decay_run_reverted_means_by_whom_and_why'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['account', 'id'], name='event_stream'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(condition=models.Q(('once__isnull', False)), fields=('account', 'once'), name='an_account_hears_of_it_once'),
        ),
    ]
