"""The admin in Korean: one word for each term, nothing left in English, and Korean formats."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry, User
from ladder.models import DecayPause, DecayRun, Ladder, Match, MatchReport, RatingEntry, Standing
from ladder.services.matches import offers, reporting
from matchmaking.models import Offer, Penalty, Ticket
from tests import factories
from tests.decay_days import FIRST, clock, decay_day, idle, old_ladder, run_on

pytestmark = pytest.mark.django_db

KOREAN = {"Accept-Language": "ko"}
WRONG_TERMS = re.compile("선수|경기|심판|스태프|보기위한|뷰 |중단|으로\\)|밤")
MODELS = (
    Ladder, Match, MatchReport, RatingEntry, Standing, AuditEntry, User, DecayRun, DecayPause, Offer, Penalty, Ticket,
)  # fmt: skip


def text_of(client: Client, url: str, **query: Any) -> str:
    """The visible text of a page."""
    response = client.get(url, query, headers=KOREAN)
    assert response.status_code == 200
    content = re.sub(r"(?s)<(script|style|template)\b.*?</\1>", " ", response.content.decode())
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", content))


@pytest.fixture
def charged(db: None) -> Standing:
    standing = idle(old_ladder(), "950.00")
    run_on(standing.ladder, FIRST)
    return standing


@pytest.mark.parametrize("model", MODELS)
def test_lists_use_the_terms(model: Any, operating: Client, charged: Standing) -> None:
    factories.disputed_match()
    url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    text = text_of(operating, url)
    assert WRONG_TERMS.findall(text) == []
    assert " 목록" in text


def test_pages_use_the_terms(operating: Client, charged: Standing) -> None:
    match = factories.disputed_match()
    entry, run = RatingEntry.objects.latest("pk"), DecayRun.objects.latest("day")
    for name, row in (
        ("ladder_match_change", match), ("ladder_match_rule", match), ("ladder_standing_change", charged),
        ("ladder_standing_adjust", charged), ("ladder_ratingentry_change", entry), ("ladder_decayrun_change", run),
        ("ladder_decayrun_reverse", run), ("ladder_ladder_change", charged.ladder),
    ):  # fmt: skip
        assert WRONG_TERMS.findall(text_of(operating, reverse(f"admin:{name}", args=[row.pk]))) == [], name
    assert "다이아몬드" in text_of(operating, reverse("admin:ladder_standing_change", args=[charged.pk]))
    run_text = text_of(operating, reverse("admin:ladder_decayrun_change", args=[run.pk]))
    assert "2026년 1월 29일" in run_text
    assert "2026-01-29" not in run_text
    assert "FIBS(판돈 2배), 600에서 시작" in text_of(operating, reverse("admin:ladder_ladder_changelist"))


def test_roles_and_rights(operating: Client, moderator: User) -> None:
    text = text_of(operating, reverse("admin:accounts_user_change", args=[moderator.pk]))
    for word in ("운영진", "최고 관리자", "중재자"):
        assert word in text
    assert "Moderators" not in text + text_of(operating, reverse("admin:accounts_user_changelist"))


def test_the_start_page_says_how_long_ago_a_dispute_began(operating: Client) -> None:
    with clock(decay_day(0)):
        match = factories.disputed_match()
        assert "방금" in text_of(operating, reverse("admin:index"))
        Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - timedelta(minutes=75))
        text = text_of(operating, reverse("admin:index")).replace("\xa0", " ")
        assert "1시간 15분 전" in text


def test_a_failed_sign_in(client: Client) -> None:
    answer = client.post(reverse("admin:login"), {"username": "nobody", "password": "x"}, headers=KOREAN)
    assert "로그인 정보가 올바르지 않거나 운영진 계정이 아닙니다." in answer.content.decode()


def test_a_ruling_names_its_parts(moderating: Client, moderator: User) -> None:
    match = factories.started_match()
    reporting.report(match.pk, match.player_one, winner=match.player_one.username, loser_score=3)
    reporting.confirm(match.pk, match.player_two)
    text = text_of(moderating, reverse("admin:ladder_match_change", args=[match.pk]))
    assert "확정: 상대" in text
    assert "매치 유형" in text
    offered = factories.offered_match()
    offers.decline(offered.pk, offered.player_one)
    assert WRONG_TERMS.findall(text_of(moderating, reverse("admin:ladder_match_change", args=[offered.pk]))) == []
