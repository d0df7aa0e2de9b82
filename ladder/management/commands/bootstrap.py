from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from common.commands import OperatorCommand
from ladder.services.bootstrap import bootstrap, one_at_a_time


class Command(OperatorCommand):
    help = (
        "Run the migrations and create the rows of a new installation. The last line of the output is "
        'JSON: {"admin_created": bool, "admin_password": str | null, "empty": bool}. Can be run again at any time.'
    )

    def handle(self, **_: Any) -> None:
        with one_at_a_time():
            if _migrations_pending():
                call_command("migrate", interactive=False, verbosity=1, stdout=self.stdout)
            installation = bootstrap()
        self.stdout.write(json.dumps(asdict(installation)))


def _migrations_pending() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
