"""The pages of penalties: which are in force, and lifting one."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry, User
from matchmaking.models import Penalty
from matchmaking.services import penalties
from tests.matchmaking.queueing import declined
from tests.staff import Visit, said

pytestmark = pytest.mark.django_db


def page(name: str, *args: object) -> str:
    return reverse(f"admin:matchmaking_penalty_{name}", args=args)


class TestPenalties:
    def test_lifting_with_a_reason(self, moderating: Client, moderator: User) -> None:
        penalty = declined()
        url = page("lift", penalty.pk)
        assert url in moderating.get(page("change", penalty.pk)).content.decode()
        assert "The player can join the queue again" in moderating.get(url).content.decode()
        response = moderating.post(url, {"reason": "The connection broke."}, follow=True)
        assert "The penalty is lifted." in said(response)
        assert url not in response.content.decode()
        penalty.refresh_from_db()
        assert (penalty.lifted_by, penalty.lifted_reason) == (moderator, "The connection broke.")
        entry = AuditEntry.objects.get(action="penalty.lift")
        trail = moderating.get("/admin/accounts/auditentry/").content.decode()
        assert "lifted a penalty" in trail
        assert page("change", penalty.pk) in trail
        assert moderating.get(reverse("admin:accounts_auditentry_change", args=[entry.pk])).status_code == 200
        assert "already been lifted" in said(moderating.post(url, {"reason": "Again."}, follow=True))

    @pytest.mark.parametrize("reason", ["", "  ", "x" * 2001])
    def test_not_without(self, moderating: Client, reason: str) -> None:
        penalty = declined()
        response = moderating.post(page("lift", penalty.pk), {"reason": reason})
        assert response.context["form"].errors["reason"]
        penalty.refresh_from_db()
        assert penalty.lifted_at is None

    @pytest.mark.parametrize("who", ["moderator", "operator"])
    def test_own_penalty_cannot_be_lifted(self, who: str, visit: Visit, request: pytest.FixtureRequest) -> None:
        account: User = request.getfixturevalue(who)
        self.is_not_offered(visit(account), declined(account), "your own")

    def test_old_penalty_cannot_be_lifted(self, moderating: Client) -> None:
        penalty = declined()
        yesterday = timezone.now() - timedelta(hours=25)
        Penalty.objects.update(created_at=yesterday, until=yesterday)
        self.is_not_offered(moderating, penalty, "more than a day old")

    def is_not_offered(self, client: Client, penalty: Penalty, answer: str) -> None:
        """There is no button and no form, and a POST gets the reason."""
        url = page("lift", penalty.pk)
        assert url not in client.get(page("change", penalty.pk)).content.decode()
        assert answer in said(client.get(url, follow=True))
        assert answer in said(client.post(url, {"reason": "x"}, follow=True))
        penalty.refresh_from_db()
        assert penalty.lifted_at is None

    def test_in_force_or_not(self, moderating: Client, operator: User) -> None:
        warning = declined()
        held = declined()
        Penalty.objects.filter(pk=held.pk).update(until=held.created_at + timedelta(hours=1))
        lifted = declined()
        penalties.lift(lifted.pk, actor=operator, reason="x")
        url = page("changelist")
        assert list(moderating.get(f"{url}?in_force=yes").context["cl"].result_list) == [held]
        assert set(moderating.get(f"{url}?in_force=no").context["cl"].result_list) == {warning, lifted}

    def test_the_state_label(self, moderating: Client, operator: User) -> None:
        def word() -> str:
            content = moderating.get(page("changelist")).content.decode()
            (found,) = re.findall(r">\s*(a warning|in force|ended|lifted)\s*<", content)
            return str(found)

        penalty = declined()
        assert word() == "a warning"
        Penalty.objects.update(until=penalty.created_at + timedelta(hours=1))
        assert word() == "in force"
        Penalty.objects.update(created_at=penalty.created_at - timedelta(hours=2))
        Penalty.objects.update(until=penalty.created_at - timedelta(hours=1))
        assert word() == "ended"
        penalties.lift(penalty.pk, actor=operator, reason="x")
        assert word() == "lifted"

    def test_an_unknown_penalty(self, moderating: Client) -> None:
        assert moderating.get(page("lift", 999_999_999)).status_code == 302

    def test_to_look_is_not_to_lift(self, newcomer: User, visit: Visit) -> None:
        newcomer.user_permissions.add(Permission.objects.get(codename="view_penalty"))
        penalty = declined()
        url = page("lift", penalty.pk)
        shown = visit(newcomer).get(page("change", penalty.pk))
        assert shown.status_code == 200
        assert url not in shown.content.decode()
        assert visit(newcomer).post(url, {"reason": "x"}).status_code == 403
        content = visit(newcomer).get("/admin/").content.decode()
        assert page("changelist") in content
        assert reverse("admin:matchmaking_ticket_queue") not in content
