"""Service keys: shown once, stored as a hash, invalid when revoked or expired."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import AuditEntry, ServiceKey
from accounts.services import service_keys
from common.errors import Invalid
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_key_is_valid_and_only_its_hash_is_stored() -> None:
    actor = factories.make_player()
    key, secret = service_keys.issue("berlin-1", ["results"], actor=actor)
    assert service_keys.find_valid_key(secret) == key
    kept = ServiceKey.objects.values().get()
    assert secret.startswith("bgk_")
    assert secret.startswith(kept["hint"])
    assert not [
        value for value in kept.values() if secret in str(value) or secret.encode() in bytes(str(value), "utf8")
    ]
    audit = AuditEntry.objects.get(action="service_key.issue")
    assert (audit.actor, audit.data) == (actor, {"name": "berlin-1", "scopes": ["results"]})
    assert secret not in str(audit.data)


def test_keys_are_unique() -> None:
    assert len({factories.make_service_key() for _ in range(20)}) == 20


@pytest.mark.parametrize("secret", ["", "bgk_", "bgk_nonsense", "\x00", "ключ", "a" * 10_000])
def test_other_values_are_not_valid_keys(secret: str) -> None:
    factories.make_service_key()
    assert service_keys.find_valid_key(secret) is None


def test_a_revoked_key_is_invalid_at_once() -> None:
    actor = factories.make_player()
    key, secret = service_keys.issue("berlin-1", ["results"], actor=actor)
    service_keys.revoke(key, actor=actor)
    revoked_at = ServiceKey.objects.get().revoked_at
    assert service_keys.find_valid_key(secret) is None
    service_keys.revoke(key, actor=actor)
    assert ServiceKey.objects.get().revoked_at == revoked_at
    assert AuditEntry.objects.filter(action="service_key.revoke").count() == 1


def test_a_key_ends_at_its_time() -> None:
    end = timezone.now() + timedelta(days=1)
    key, secret = service_keys.issue("berlin-1", ["results"], actor=None, expires_at=end)
    with time_machine.travel(end - timedelta(seconds=1), tick=False):
        assert service_keys.find_valid_key(secret) == key
    with time_machine.travel(end, tick=False):
        assert service_keys.find_valid_key(secret) is None


def test_its_use_is_recorded_once_a_minute() -> None:
    secret = factories.make_service_key()
    assert ServiceKey.objects.get().last_used_at is None
    first = timezone.now() + timedelta(hours=1)
    for seconds, noted in ((0, 0), (30, 0), (60, 0), (61, 61)):
        with time_machine.travel(first + timedelta(seconds=seconds), tick=False):
            service_keys.find_valid_key(secret)
        assert ServiceKey.objects.get().last_used_at == first + timedelta(seconds=noted)


@pytest.mark.parametrize("scopes", [[], ["everything"], ["results", "everything"]])
def test_unknown_scopes_are_refused(scopes: list[str]) -> None:
    with pytest.raises(Invalid) as refused:
        service_keys.issue("berlin-1", scopes, actor=None)
    assert (refused.value.code, refused.value.field) == ("unknown_scope", "scopes")


def test_an_expiry_in_the_past_is_refused() -> None:
    with pytest.raises(Invalid) as refused:
        service_keys.issue("berlin-1", ["results"], actor=None, expires_at=timezone.now())
    assert refused.value.field == "expires_at"
