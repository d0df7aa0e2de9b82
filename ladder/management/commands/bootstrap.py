from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.core.management import call_command

from common import schema_state
from common.commands import OperatorCommand
from ladder.services.bootstrap import bootstrap


class Command(OperatorCommand):
    help = (
        "Run the migrations and create the rows of a new installation. The last line of the output is "
        'JSON: {"admin_created": bool, "admin_password": str | null, "empty": bool}. Can be run again at any time.'
    )

    needs_database = False  # it sees to that itself, and says what it applies

    def handle(self, **_: Any) -> None:
        with schema_state.one_at_a_time():
            if schema_state.pending():
                call_command("migrate", interactive=False, verbosity=1, stdout=self.stdout)
            installation = bootstrap()
        self.stdout.write(json.dumps(asdict(installation)))
