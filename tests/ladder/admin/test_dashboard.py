"""The first page: what waits, and what has just happened."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.urls import reverse

from tests import factories
from tests.staff import Visit

pytestmark = pytest.mark.django_db

URL = "/admin/"


def figures(response) -> dict[str, int]:
    return {str(figure.title): figure.number for figure in response.context["figures"]}


def entries(response) -> list[Any]:
    return [it for column in response.context["columns"] for panel in column for it in panel.get("entries", [])]


def test_it_shows_open_matches(moderating):
    disputed = factories.disputed_match()
    factories.awaiting_match()
    factories.started_match()
    confirmed = factories.confirmed_match()
    response = moderating.get(URL)
    assert figures(response) == {
        "Open disputes": 1, "Awaiting confirmation": 1, "In progress": 1, "Settled today": 1,
        "Waiting in the queue": 0, "Open offers": 0,
    }  # fmt: skip
    content = response.content.decode()
    assert reverse("admin:ladder_match_change", args=[disputed.pk]) in content
    assert "?state__exact=disputed" in content
    assert {item.player for item in entries(response)} == {
        confirmed.player_one,
        confirmed.player_two,
    }


def test_today_begins_at_the_ladders_own_midnight(moderating):
    seoul = factories.make_ladder("seoul", time_zone="Asia/Seoul")
    utc = factories.make_ladder()
    with time_machine.travel(datetime(2026, 5, 1, 14, 30, tzinfo=UTC)):  # half past eleven in Seoul
        factories.confirmed_match(ladder=seoul)
        factories.confirmed_match(ladder=utc)
    with time_machine.travel(datetime(2026, 5, 1, 15, 30, tzinfo=UTC)):
        assert figures(moderating.get(URL))["Settled today"] == 1


def test_it_shows_what_the_account_may_see(newcomer, visit: Visit):
    factories.confirmed_match()
    newcomer.user_permissions.add(Permission.objects.get(codename="view_ratingentry"))
    response = visit(newcomer).get(URL)
    assert response.context["figures"] == []
    assert len(entries(response)) == 2
