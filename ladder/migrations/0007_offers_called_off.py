from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0006_events_are_numbered'),
    ]

    operations = [
        migrations.AlterField(
            model_name='event',
            name='kind',
            field=models.CharField(choices=[('match_offered', 'a match is offered'), ('offer_accepted', 'a player accepted the offer'), ('offer_declined', 'a player declined the offer'), ('offer_expired', 'the offer expired'), ('offer_called_off', 'the offer was called off'), ('match_started', 'the match started'), ('result_reported', 'a result was reported'), ('match_confirmed', 'the match was confirmed'), ('match_disputed', 'the match is disputed'), ('match_ruled', 'a moderator ruled'), ('match_voided', 'the match was voided'), ('ticket_closed', 'the ticket was closed'), ('account_suspended', 'the account was suspended'), ('suspension_lifted', 'the suspension was lifted'), ('decay_ahead', 'decay is ahead')], max_length=24, verbose_name='kind'),
        ),
        # A ladder could offer more, or nothing; pairing could not cope with it.
        migrations.RunSQL(
            "UPDATE ladder_ladder SET match_lengths = CASE WHEN cardinality(match_lengths) = 0 THEN '{5}' ELSE match_lengths[1:50] END WHERE cardinality(match_lengths) NOT BETWEEN 1 AND 50",
            migrations.RunSQL.noop,
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('match_lengths__len__range', (1, 50))), name='a_queue_offers_1_to_50_lengths'),
        ),
        migrations.RemoveConstraint(model_name='match', name='arranged_play_is_unrated'),
        AddConstraintNotValid(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('origin__in', ['import', 'matchmaking', 'tournament']), models.Q(('unrated_reason', models.F('origin')), ('unrated_reason__isnull', False)), _connector='OR'), name='arranged_play_is_unrated'),
        ),
    ]
