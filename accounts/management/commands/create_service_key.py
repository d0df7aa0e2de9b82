from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from accounts.models.service_key import Scope
from accounts.services import service_keys
from common.commands import OperatorCommand


class Command(OperatorCommand):
    help = "Issue a key for a trusted game server and print it. It is shown only once, because only its hash is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the server that will use the key")
        parser.add_argument("--scope", action="append", required=True, choices=Scope.values, help="what the key allows")
        parser.add_argument("--expires", type=float, metavar="DAYS", help="default: never")

    def handle(self, *, name: str, scope: list[str], expires: float | None, **_: Any) -> None:
        expires_at = None if expires is None else timezone.now() + timedelta(days=expires)
        self.stdout.write(service_keys.issue(name, scope, actor=None, expires_at=expires_at)[1])
