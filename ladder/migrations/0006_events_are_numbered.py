import django.contrib.postgres.constraints
import django.db.models.deletion
import django.utils.timezone
import ladder.models.suspension
from django.conf import settings
from django.db import migrations, models


# So far there are only notices of decay, so the table is small enough to be numbered and indexed at one go.
NUMBER = """
    UPDATE ladder_event e SET number = counted.number
    FROM (SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY id) AS number FROM ladder_event) counted
    WHERE counted.id = e.id;
    INSERT INTO ladder_eventstream (account_id, last_number, delivered_number)
    SELECT account_id, max(number), 0 FROM ladder_event GROUP BY account_id;
    SET CONSTRAINTS ALL IMMEDIATE;
    SET CONSTRAINTS ALL DEFERRED;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0005_unrated_stays_unrated'),
    ]

    operations = [
        migrations.CreateModel(
            name='EventStream',
            fields=[
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='event_stream', serialize=False, to=settings.AUTH_USER_MODEL, verbose_name='account')),
                ('last_number', models.PositiveIntegerField(default=0, verbose_name='last event')),
                ('delivered_number', models.PositiveIntegerField(default=0, verbose_name='last event delivered')),
            ],
            options={
                'verbose_name': 'event stream',
                'verbose_name_plural': 'event streams',
            },
        ),
        migrations.CreateModel(
            name='Presence',
            fields=[
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='presence', serialize=False, to=settings.AUTH_USER_MODEL, verbose_name='account')),
                ('seen_at', models.DateTimeField(verbose_name='seen')),
            ],
            options={
                'verbose_name': 'presence',
                'verbose_name_plural': 'presences',
            },
        ),
        migrations.CreateModel(
            name='Suspension',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField(help_text='the player reads this', verbose_name='reason')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='since')),
                ('until', models.DateTimeField(blank=True, help_text='empty: for good', null=True, verbose_name='until')),
                ('lifted_at', models.DateTimeField(blank=True, null=True, verbose_name='lifted')),
                ('lifted_reason', models.TextField(blank=True, default='', verbose_name='lifted because')),
            ],
            options={
                'verbose_name': 'suspension',
                'verbose_name_plural': 'suspensions',
                'permissions': [('suspend_account', 'Can suspend accounts and lift suspensions')],
            },
        ),
        migrations.RemoveIndex(
            model_name='event',
            name='event_stream',
        ),
        migrations.AddField(
            model_name='event',
            name='number',
            field=models.PositiveIntegerField(default=0, verbose_name='number'),
            preserve_default=False,
        ),
        migrations.RunSQL(NUMBER, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='event',
            name='created_at',
            field=models.DateTimeField(db_index=True, default=django.utils.timezone.now, verbose_name='time'),
        ),
        migrations.AlterField(
            model_name='event',
            name='kind',
            field=models.CharField(choices=[('match_offered', 'a match is offered'), ('offer_accepted', 'a player accepted the offer'), ('offer_declined', 'a player declined the offer'), ('offer_expired', 'the offer expired'), ('match_started', 'the match started'), ('result_reported', 'a result was reported'), ('match_confirmed', 'the match was confirmed'), ('match_disputed', 'the match is disputed'), ('match_ruled', 'a moderator ruled'), ('match_voided', 'the match was voided'), ('ticket_closed', 'the ticket was closed'), ('decay_ahead', 'decay is ahead')], max_length=24, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('account', 'number'), name='events_are_numbered'),
        ),
        migrations.AddField(
            model_name='suspension',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='suspensions', to=settings.AUTH_USER_MODEL, verbose_name='account'),
        ),
        migrations.AddField(
            model_name='suspension',
            name='created_by',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='suspended by'),
        ),
        migrations.AddField(
            model_name='suspension',
            name='lifted_by',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='lifted by'),
        ),
        migrations.AddConstraint(
            model_name='suspension',
            constraint=models.CheckConstraint(condition=models.Q(('until__isnull', True), ('until__gt', models.F('created_at')), _connector='OR'), name='suspension_ends_after_it_began'),
        ),
        migrations.AddConstraint(
            model_name='suspension',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lifted_at__isnull', True), ('lifted_by__isnull', True), ('lifted_reason', '')), models.Q(('lifted_at__isnull', False), ('lifted_by__isnull', False), models.Q(('lifted_reason', ''), _negated=True)), _connector='OR'), name='lifted_means_by_whom_and_why'),
        ),
        migrations.AddConstraint(
            model_name='suspension',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(condition=models.Q(('lifted_at__isnull', True)), expressions=[(ladder.models.suspension.Only('account'), '&&'), (ladder.models.suspension.Time('created_at', 'until'), '&&')], name='one_suspension_at_a_time'),
        ),
    ]
