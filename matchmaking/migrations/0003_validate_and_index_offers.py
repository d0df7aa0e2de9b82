from django.contrib.postgres.operations import AddIndexConcurrently, ValidateConstraint
from django.db import migrations, models


class Migration(migrations.Migration):
    # Play goes on while rows are looked at and the index is built.
    atomic = False

    dependencies = [
        ('matchmaking', '0002_offers_called_off'),
    ]

    operations = [
        ValidateConstraint(model_name='offer', name='a_closed_offer_has_a_time'),
        ValidateConstraint(model_name='ticket', name='a_closed_ticket_has_a_time'),
        AddIndexConcurrently(
            model_name='offer',
            index=models.Index(condition=models.Q(('outcome', 'open')), fields=['match'], name='open_offers'),
        ),
    ]
