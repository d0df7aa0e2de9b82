"""The pages of service keys: issuing, showing once, revoking."""

from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse

from accounts.models import AuditEntry, ServiceKey
from accounts.services import service_keys
from tests import factories

pytestmark = pytest.mark.django_db

ADD = "/admin/accounts/servicekey/add/"
FORM = {"name": "north", "scopes": ["results"], "expires_at_0": "", "expires_at_1": ""}


def make_key() -> ServiceKey:
    factories.make_service_key()
    return ServiceKey.objects.get()


def secret_on(response) -> str:
    found = re.search(r'id="secret">(\S+)</code>', response.content.decode())
    assert found
    return found[1]


def test_a_key_is_shown_once(operating, operator):
    issued = operating.post(ADD, FORM)
    secret = secret_on(issued)
    key = service_keys.find_valid_key(secret)
    assert key is not None
    assert key.created_by == operator
    assert "no-store" in issued["Cache-Control"]
    urls = [
        reverse("admin:accounts_servicekey_change", args=[key.pk]),
        reverse("admin:accounts_servicekey_changelist"),
        ADD,
    ]
    for url in (*urls, reverse("admin:accounts_auditentry_changelist"), reverse("admin:index")):
        assert secret not in operating.get(url).content.decode()
    assert not any(secret in str(session.get_decoded()) for session in Session.objects.all())
    assert not any(secret in str(row) for row in AuditEntry.objects.values())


def test_the_page_of_a_key(operating):
    key = make_key()
    content = operating.get(reverse("admin:accounts_servicekey_change", args=[key.pk])).content.decode()
    for text in (key.name, key.hint, "report results of matches", "Last used", "Expires", "Revoke this key"):
        assert text in content


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["everything"]}, "scopes"),
        ({"expires_at_0": "2020-01-01", "expires_at_1": "00:00"}, "expires_at"),
        ({"expires_at_0": "tomorrow", "expires_at_1": ""}, "expires_at"),
    ],
)
def test_errors_are_shown_at_their_fields(operating, wrong, field):
    response = operating.post(ADD, FORM | wrong)
    assert set(response.context["form"].errors) == {field}
    assert not ServiceKey.objects.exists()


def test_revoking_a_key(operating, operator):
    secret = factories.make_service_key()
    key = ServiceKey.objects.get()
    url = reverse("admin:accounts_servicekey_revoke", args=[key.pk])
    assert "cannot be made valid again" in operating.get(url).content.decode()
    assert service_keys.find_valid_key(secret)
    for _ in range(2):
        assert operating.post(url).status_code == 302
    assert service_keys.find_valid_key(secret) is None
    assert AuditEntry.objects.get(action="service_key.revoke").actor == operator
    page = operating.get(reverse("admin:accounts_servicekey_change", args=[key.pk])).content.decode()
    assert "Revoke this key" not in page
    assert "revoked" in page
    assert operating.post(reverse("admin:accounts_servicekey_revoke", args=[ServiceKey().pk])).status_code == 302


def test_a_key_cannot_be_edited(operating):
    key = make_key()
    url = reverse("admin:accounts_servicekey_change", args=[key.pk])
    assert operating.post(url, FORM | {"name": "other"}).status_code == 403
    key.refresh_from_db()
    assert key.name != "other"
