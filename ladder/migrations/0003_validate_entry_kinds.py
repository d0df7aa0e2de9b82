from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0002_decay'),
    ]

    operations = [
        ValidateConstraint(model_name='ratingentry', name='entry_is_whole_for_its_kind'),
    ]
