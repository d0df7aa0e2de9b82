import pgtrigger.compiler
import pgtrigger.migrations
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0008_live_matches_of_a_player'),
        ('matchmaking', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='offerside',
            name='reached',
            field=models.BooleanField(null=True, verbose_name='reached the player'),
        ),
        migrations.AlterField(
            model_name='offer',
            name='outcome',
            field=models.CharField(choices=[('open', 'open'), ('started', 'both accepted'), ('declined', 'declined'), ('expired', 'expired'), ('called_off', 'called off')], default='open', max_length=10, verbose_name='outcome'),
        ),
        migrations.AlterField(
            model_name='ticket',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('offered', 'offered a match'), ('matched', 'led to a match'), ('cancelled', 'cancelled by the player'), ('declined', 'closed: the player declined an offer'), ('unanswered', 'closed: the player left an offer unanswered'), ('stopped', 'closed: the player may start no match'), ('silent', 'closed: no sign of life')], default='waiting', max_length=10, verbose_name='state'),
        ),
        migrations.RemoveConstraint(model_name='offer', name='a_closed_offer_has_a_time'),
        AddConstraintNotValid(
            model_name='offer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('outcome', 'open')), models.Q(('closed_at__isnull', False), ('outcome__in', ['started', 'declined', 'expired', 'called_off'])), _connector='OR'), name='a_closed_offer_has_a_time'),
        ),
        migrations.RemoveConstraint(model_name='ticket', name='a_closed_ticket_has_a_time'),
        AddConstraintNotValid(
            model_name='ticket',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('state__in', ['waiting', 'offered'])), models.Q(('closed_at__isnull', False), ('state__in', ['matched', 'cancelled', 'declined', 'unanswered', 'silent', 'stopped'])), _connector='OR'), name='a_closed_ticket_has_a_time'),
        ),
        migrations.RunSQL(
            'ALTER TABLE matchmaking_offer RENAME CONSTRAINT win_probability_is_one TO win_probability_is_above_0_and_below_1',
            'ALTER TABLE matchmaking_offer RENAME CONSTRAINT win_probability_is_above_0_and_below_1 TO win_probability_is_one',
            state_operations=[
                migrations.RemoveConstraint(model_name='offer', name='win_probability_is_one'),
                migrations.AddConstraint(
                    model_name='offer',
                    constraint=models.CheckConstraint(condition=models.Q(('win_probability__gt', 0), ('win_probability__lt', 1)), name='win_probability_is_above_0_and_below_1'),
                ),
            ],
        ),
        migrations.RunSQL(
            'ALTER TABLE matchmaking_offerside RENAME CONSTRAINT an_offer_has_two_sides TO one_side_per_seat',
            'ALTER TABLE matchmaking_offerside RENAME CONSTRAINT one_side_per_seat TO an_offer_has_two_sides',
            state_operations=[
                migrations.RemoveConstraint(model_name='offerside', name='an_offer_has_two_sides'),
                migrations.AddConstraint(
                    model_name='offerside',
                    constraint=models.UniqueConstraint(fields=('offer', 'seat'), name='one_side_per_seat'),
                ),
            ],
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='invite',
            trigger=pgtrigger.compiler.Trigger(name='an_invite_is_used_once', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.match_id IS NOT NULL AND NEW.match_id IS DISTINCT FROM OLD.match_id)', func="\n                    RAISE EXCEPTION 'the invite has been used'\n                        USING ERRCODE = 'check_violation', CONSTRAINT = 'an_invite_is_used_once';\n                    ", hash='f8978f75fda30e7ff1eca94f8089bc5bd5540325', operation='UPDATE OF "match_id"', pgid='pgtrigger_an_invite_is_used_once_1d8ea', table='matchmaking_invite', when='BEFORE')),
        ),
        # On the way back, the nearest that there was before.
        migrations.RunSQL(
            migrations.RunSQL.noop,
            [
                "UPDATE matchmaking_ticket SET state = 'cancelled' WHERE state = 'stopped'",
                "UPDATE matchmaking_offer SET outcome = 'expired' WHERE outcome = 'called_off'",
            ],
        ),
    ]
