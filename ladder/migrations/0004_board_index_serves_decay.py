from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # Play goes on while the new index is built and the old one dropped.
    atomic = False

    dependencies = [
        ('ladder', '0003_validate_entry_kinds'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='standing',
            index=models.Index(
                condition=models.Q(('last_ranked_at__isnull', False)),
                fields=['ladder', '-rating', 'id'],
                include=('last_ranked_at', 'decayed_through'),
                name='standing_board_and_decay',
            ),
        ),
        RemoveIndexConcurrently(model_name='standing', name='standing_board'),
    ]
