from django.contrib.postgres.operations import AddIndexConcurrently, ValidateConstraint
from django.db import migrations, models


class Migration(migrations.Migration):
    # Play goes on while rows are looked at and the indexes are built.
    atomic = False

    dependencies = [
        ('ladder', '0007_offers_called_off'),
    ]

    operations = [
        ValidateConstraint(model_name='match', name='arranged_play_is_unrated'),
        AddIndexConcurrently(
            model_name='match',
            index=models.Index(condition=models.Q(('state__in', ['awaiting_confirmation', 'disputed', 'in_progress', 'offered'])), fields=['player_one'], name='match_live_one'),
        ),
        AddIndexConcurrently(
            model_name='match',
            index=models.Index(condition=models.Q(('state__in', ['awaiting_confirmation', 'disputed', 'in_progress', 'offered'])), fields=['player_two'], name='match_live_two'),
        ),
    ]
