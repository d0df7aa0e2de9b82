"""The pages for suspending an account and lifting a suspension."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry, Suspension, User
from accounts.services import suspensions
from tests import factories
from tests.staff import Visit, said

pytestmark = pytest.mark.django_db

LIST = "/admin/accounts/suspension/"


def suspend_url(account: User) -> str:
    return reverse("admin:accounts_suspension_suspend", args=[account.pk])


def page_of(account: User) -> str:
    return reverse("admin:accounts_user_change", args=[account.pk])


def form(**changes: str) -> dict[str, str]:
    day = f"{timezone.now() + timedelta(days=7):%Y-%m-%d}"
    return {"until_0": day, "until_1": "12:00:00", "reason": "Stalling.", **changes}


@pytest.fixture
def suspension(player: User, operator: User) -> Suspension:
    return suspensions.suspend(player.pk, actor=operator, reason="Stalling.", until=None)


class TestSuspending:
    def test_the_first_step_is_a_preview(self, player: User, moderating: Client) -> None:
        assert suspend_url(player) in moderating.get(page_of(player)).content.decode()
        content = moderating.post(suspend_url(player), form()).content.decode()
        assert "12:00 UTC" in content
        assert "Stalling." in content
        assert not Suspension.objects.exists()
        assert not AuditEntry.objects.exists()

    def test_the_second_step_suspends(self, player: User, moderating: Client, moderator: User) -> None:
        response = moderating.post(suspend_url(player), form(confirm="yes"), follow=True)
        assert "The account is suspended." in said(response)
        suspension = Suspension.objects.get()
        assert (suspension.account, suspension.created_by, suspension.reason) == (player, moderator, "Stalling.")
        assert AuditEntry.objects.get().action == "account.suspend"
        content = moderating.get(page_of(player)).content.decode()
        assert "Suspended until" in content
        assert suspend_url(player) not in content
        assert "suspended an account" in moderating.get("/admin/accounts/auditentry/").content.decode()

    def test_for_good(self, player: User, moderating: Client) -> None:
        forever = form(until_0="", until_1="", confirm="yes")
        moderating.post(suspend_url(player), forever)
        assert Suspension.objects.get().until is None
        assert "Suspended for good" in moderating.get(page_of(player)).content.decode()

    def test_back_to_the_form(self, player: User, moderating: Client) -> None:
        response = moderating.post(suspend_url(player), form(back="yes"))
        assert response.context["form"]["reason"].value() == "Stalling."

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"until_0": "9999-12-31"}, "until"),
            ({"until_0": "0001-01-01", "until_1": "00:00"}, "until"),
            ({"until_0": "2020-01-01"}, "until"),
            ({"until_0": "2026-02-30"}, "until"),
            ({"until_0": "tomorrow"}, "until"),
            ({"until_1": ""}, "until"),
            ({"until_1": "25:00"}, "until"),
            ({"reason": ""}, "reason"),
            ({"reason": "  "}, "reason"),
            ({"reason": "x" * 2001}, "reason"),
        ],
    )
    @pytest.mark.parametrize("confirm", [{}, {"confirm": "yes"}])
    def test_errors_are_shown_at_their_fields(self, player: User, moderating: Client, wrong, field, confirm) -> None:
        response = moderating.post(suspend_url(player), {**form(), **wrong, **confirm})
        assert list(response.context["form"].errors) == [field]
        assert not Suspension.objects.exists()

    @pytest.mark.parametrize("confirm", [{}, {"confirm": "yes"}])
    def test_errors_of_the_service_are_shown(
        self, suspension: Suspension, moderating: Client, moderator: User, operator: User, confirm: dict[str, str]
    ) -> None:
        def answer(account: User) -> str:
            return said(moderating.post(suspend_url(account), {**form(), **confirm}, follow=True))

        assert "suspended already" in answer(suspension.account)
        assert "You cannot suspend yourself" in answer(moderator)
        assert "Only a superuser" in answer(operator)
        assert Suspension.objects.count() == 1

    def test_there_is_no_such_account(self, moderating: Client) -> None:
        assert moderating.get(reverse("admin:accounts_suspension_suspend", args=[999_999_999])).status_code == 302


class TestLifting:
    def test_with_a_reason(self, suspension: Suspension, moderating: Client, moderator: User) -> None:
        url = reverse("admin:accounts_suspension_lift", args=[suspension.pk])
        detail = reverse("admin:accounts_suspension_change", args=[suspension.pk])
        assert url in moderating.get(detail).content.decode()
        response = moderating.post(url, {"reason": "A misunderstanding."}, follow=True)
        assert "can play again" in said(response)
        suspension.refresh_from_db()
        assert (suspension.lifted_by, suspension.lifted_reason) == (moderator, "A misunderstanding.")
        assert url not in response.content.decode()
        assert "ended already" in said(moderating.post(url, {"reason": "Again."}, follow=True))

    @pytest.mark.parametrize("reason", ["", "  "])
    def test_not_without(self, suspension: Suspension, moderating: Client, reason: str) -> None:
        url = reverse("admin:accounts_suspension_lift", args=[suspension.pk])
        assert moderating.post(url, {"reason": reason}).context["form"].errors["reason"]
        suspension.refresh_from_db()
        assert suspension.lifted_at is None

    @pytest.mark.parametrize(("of", "answer"), [("moderator", "your own"), ("newcomer", "Only a superuser")])
    def test_a_suspension_that_the_moderator_cannot_lift(
        self, of: str, answer: str, moderating: Client, operator: User, request: pytest.FixtureRequest
    ) -> None:
        account: User = request.getfixturevalue(of)
        suspension = suspensions.suspend(account.pk, actor=operator, reason="x", until=None)
        url = reverse("admin:accounts_suspension_lift", args=[suspension.pk])
        detail = moderating.get(reverse("admin:accounts_suspension_change", args=[suspension.pk]))
        assert url not in detail.content.decode()
        assert answer in said(moderating.get(url, follow=True))
        assert answer in said(moderating.post(url, {"reason": "x"}, follow=True))

    def test_a_superuser_cannot_lift_their_own(self, operator: User, operating: Client) -> None:
        colleague = factories.make_player(is_staff=True, is_superuser=True)
        own = suspensions.suspend(operator.pk, actor=colleague, reason="x", until=None)
        url = reverse("admin:accounts_suspension_lift", args=[own.pk])
        assert "your own" in said(operating.get(url, follow=True))


def test_the_list_is_filtered_by_what_is_in_force(suspension: Suspension, moderating: Client, operator: User) -> None:
    other = suspensions.suspend(factories.make_player().pk, actor=operator, reason="x", until=None)
    suspensions.lift(other.pk, actor=operator, reason="x")

    def listed(query: str) -> set[Suspension]:
        return set(moderating.get(f"{LIST}?{query}").context["cl"].result_list)

    assert listed("in_force=yes") == {suspension}
    assert listed("in_force=no") == {other}
    assert listed(f"q={other.account}") == {other}


def test_permission_to_view_is_not_permission_to_suspend(suspension: Suspension, newcomer: User, visit: Visit) -> None:
    codenames = ("view_suspension", "view_user")
    newcomer.user_permissions.add(*Permission.objects.filter(codename__in=codenames))
    client = visit(newcomer)
    lift = reverse("admin:accounts_suspension_lift", args=[suspension.pk])
    detail = client.get(reverse("admin:accounts_suspension_change", args=[suspension.pk]))
    assert detail.status_code == 200
    assert lift not in detail.content.decode()
    other = factories.make_player()
    assert suspend_url(other) not in client.get(page_of(other)).content.decode()
    assert client.post(lift, {"reason": "x"}).status_code == 403
    assert client.post(suspend_url(other), form(confirm="yes")).status_code == 403
