"""Permissions of the pages of matchmaking. Only lifting a penalty can write."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from ladder.models import Match
from matchmaking.models import Offer, OfferSide, Ticket
from tests.admin.conftest import Visit
from tests.admin.test_permissions import STAFF_WITH_THE_RIGHT, answers
from tests.matchmaking.queueing import declined

pytestmark = pytest.mark.django_db

QUEUE = "/admin/matchmaking/ticket/queue/"
OPPONENTS = "/admin/matchmaking/offer/opponents/"


def page(name: str, model: str, *args: object) -> str:
    return reverse(f"admin:matchmaking_{model}_{name}", args=args)


class TestPermissions:
    def test_pages_are_for_moderators(self, clients: dict[str, Client]) -> None:
        penalty = declined()
        rows = {"ticket": Ticket.objects.latest("pk").pk, "offer": penalty.match_id, "penalty": penalty.pk}
        for model, pk in rows.items():
            assert answers(clients, page("changelist", model)) == STAFF_WITH_THE_RIGHT
            assert answers(clients, page("change", model, pk)) == STAFF_WITH_THE_RIGHT
        for url in (QUEUE, OPPONENTS, page("lift", "penalty", penalty.pk)):
            assert answers(clients, url) == STAFF_WITH_THE_RIGHT
        assert answers(clients, page("lift", "penalty", penalty.pk), "post") == STAFF_WITH_THE_RIGHT

    def test_only_lifting_can_write(self, clients: dict[str, Client]) -> None:
        penalty = declined()
        rows = {"ticket": Ticket.objects.latest("pk").pk, "offer": penalty.match_id, "penalty": penalty.pk}
        for who in ("moderator", "operator"):
            for model, pk in rows.items():
                for url in (page("add", model), page("change", model, pk), page("delete", model, pk)):
                    assert clients[who].post(url, {"post": "yes"}).status_code == 403, url
        assert (Offer.objects.count(), OfferSide.objects.count(), Match.objects.count()) == (1, 2, 1)

    def test_permission_to_view_is_not_permission_to_lift(self, newcomer: User, visit: Visit) -> None:
        newcomer.user_permissions.add(Permission.objects.get(codename="view_penalty"))
        penalty = declined()
        url = page("lift", "penalty", penalty.pk)
        shown = visit(newcomer).get(page("change", "penalty", penalty.pk))
        assert shown.status_code == 200
        assert url not in shown.content.decode()
        assert visit(newcomer).post(url, {"reason": "x"}).status_code == 403
        content = visit(newcomer).get("/admin/").content.decode()
        assert page("changelist", "penalty") in content
        assert QUEUE not in content
