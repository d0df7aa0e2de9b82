"""The lists cost the same with many rows as with few, never count a table, and find players by name."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.admin import search
from accounts.models import User
from accounts.services import service_keys, suspensions
from common.admin.navigation import NAVIGATION
from ladder.models import DecayPause, DecayRun, MatchReport, RatingEntry, Standing
from ladder.rules.ranked import Origin
from tests import factories
from tests.staff import said

pytestmark = pytest.mark.django_db

LISTS = sorted({page.view for page in NAVIGATION if page.view.endswith("_changelist")})
"""The views of all lists that the sidebar leads to."""


def url_of(view: str) -> str:
    return reverse(f"admin:{view}")


def list_of(model: str) -> str:
    (view,) = [view for view in LISTS if view.split("_")[1] == model]
    return url_of(view)


def fill(number: int, actor: User) -> None:
    for _ in range(number):
        match = factories.confirmed_match()
        suspensions.suspend(match.player_one_id, actor=actor, reason="x", until=None)
        service_keys.issue("server", ["results"], actor=actor)
    factories.disputed_match()
    ladder = factories.make_ladder()
    first = date(2026, 1, 1) + timedelta(days=DecayRun.objects.count())
    for day in (first + timedelta(days=n) for n in range(number)):
        DecayRun.objects.create(ladder=ladder, day=day, state="completed", finished_at=timezone.now())
        DecayPause.objects.create(ladder=ladder, first_day=day, last_day=day, reason="x", declared_by=actor)


def queries(client: Client, url: str) -> list[str]:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(url).status_code == 200
    return [query["sql"] for query in captured]


def test_a_page_costs_the_same_with_fifty_rows_as_with_five(operating, operator):
    fill(5, operator)
    few = {view: len(queries(operating, url_of(view))) for view in LISTS}
    fill(45, operator)
    many = {view: len(queries(operating, url_of(view))) for view in LISTS}
    assert many == few
    # Session, account, badge, the filter's ladders, and the rows themselves with all that they show.
    assert max(many.values()) <= 10, many


def test_the_overview_and_a_match_cost_the_same_with_many_rows(moderating, operator):
    fill(3, operator)
    overview, match = reverse("admin:index"), factories.disputed_match()
    page = reverse("admin:ladder_match_change", args=[match.pk])
    moderating.get(page)  # what is looked up once per process
    few = [len(queries(moderating, url)) for url in (overview, page)]
    fill(20, operator)
    assert [len(queries(moderating, url)) for url in (overview, page)] == few


def test_no_list_counts_its_table(operating, operator):
    fill(2, operator)
    for view in LISTS:
        for query in queries(operating, url_of(view)) + queries(operating, url_of(view) + "?q=player"):
            assert "COUNT(" not in query or "'disputed'" in query, query


def test_pages_turn_without_a_count(operating):
    ladder = factories.make_ladder()
    players = factories.make_players(60)
    Standing.objects.bulk_create(
        [Standing(ladder=ladder, player=player, rating=600, peak_rating=600) for player in players]
    )
    first = operating.get(url_of("ladder_standing_changelist") + "?shown=everyone").content.decode()
    second = operating.get(url_of("ladder_standing_changelist") + "?shown=everyone&p=2").content.decode()
    seen = [player.username for player in players if f">{player.username}<" in first.replace("\n", "").replace(" ", "")]
    rest = [
        player.username for player in players if f">{player.username}<" in second.replace("\n", "").replace(" ", "")
    ]
    assert len(seen) == 50
    assert sorted(seen + rest) == sorted(player.username for player in players)


def rows(client: Client, model: str, **query: str) -> list[object]:
    return [row.pk for row in client.get(list_of(model), query).context["cl"].result_list]


def test_players_are_found_by_the_start_of_the_name(moderating):
    one, two = factories.make_player("Searcher"), factories.make_player("other07")
    match = factories.confirmed_match(one, two)
    factories.confirmed_match()
    assert rows(moderating, "match", q="SEARCH") == [match.pk]
    assert rows(moderating, "match", q="other07") == [match.pk]
    assert rows(moderating, "match", q="%") == []
    assert rows(moderating, "user", q="search") == [one.pk]
    assert rows(moderating, "user", q="other07@example.org") == [two.pk]
    assert rows(moderating, "standing", q="search") == [factories.standing_of(one).pk]
    assert rows(moderating, "ratingentry", q="search") == [RatingEntry.objects.get(standing__player=one).pk]
    assert rows(moderating, "matchreport", q="search") == [MatchReport.objects.get(match=match).pk]


def test_a_search_with_too_many_players(moderating, monkeypatch):
    monkeypatch.setattr(search, "MAX_SEARCHED_ACCOUNTS", 2)
    one, two, _three = (factories.make_player(f"namesake{number}") for number in (1, 2, 3))
    for model in ("user", "standing"):
        response = moderating.get(list_of(model), {"q": "namesake"})
        assert said(response) == "More than 2 usernames start like that: only the first 2 are searched for."
    assert rows(moderating, "user", q="namesake") == [two.pk, one.pk]
    assert said(moderating.get(url_of("accounts_user_changelist"), {"q": "namesake1"})) == ""


@pytest.mark.parametrize("language", ["en", "ko"])
def test_times_have_a_time_zone(moderating, language):
    with time_machine.travel(datetime(2026, 5, 1, 14, 30, tzinfo=UTC)):
        factories.confirmed_match()
    content = moderating.get(url_of("ladder_match_changelist"), headers={"Accept-Language": language}).content.decode()
    assert "14:30 UTC" in content


def test_empty_lists(moderating):
    content = moderating.get(url_of("ladder_match_changelist")).content.decode()
    assert "There is nothing here." in content
    assert "Show everything" not in content
    content = moderating.get(url_of("ladder_match_changelist"), {"q": "nobody"}).content.decode()
    assert "Show everything" in content
    assert "reate a new item" not in content


def test_the_way_back_is_in_the_readers_language(moderating):
    content = moderating.get(url_of("ladder_match_changelist"), headers={"Accept-Language": "ko"}).content.decode()
    heading = content[content.index("<h1") : content.index("</h1>")]
    assert "Ladder" not in heading


def test_a_match_is_found_by_its_id(moderating):
    match = factories.voided_match()
    confirmed = factories.confirmed_match()
    assert rows(moderating, "match", q=str(match.pk)) == [match.pk]
    assert len(rows(moderating, "ratingentry", q=str(confirmed.pk))) == 2
    assert len(rows(moderating, "matchreport", q=str(confirmed.pk))) == 1
    assert len(rows(moderating, "auditentry", q=str(match.pk))) == 1


def test_matches_are_filtered(moderating):
    disputed, confirmed = factories.disputed_match(), factories.confirmed_match()
    friendly = factories.confirmed_match(origin=Origin.CHALLENGE)
    elsewhere = factories.confirmed_match(ladder=factories.make_ladder("second"))
    assert rows(moderating, "match", state__exact="disputed") == [disputed.pk]
    assert rows(moderating, "match", origin__exact="challenge") == [friendly.pk]
    assert rows(moderating, "match", rated="no") == [friendly.pk]
    assert rows(moderating, "match", rated="yes") == [elsewhere.pk, confirmed.pk, disputed.pk]
    assert rows(moderating, "match", ladder__id__exact=str(elsewhere.ladder_id)) == [elsewhere.pk]


def test_the_list_has_players_with_a_match_best_first(moderating):
    match = factories.confirmed_match(winner=2)
    waiting = factories.offered_match()
    board = rows(moderating, "standing")
    assert board == [factories.standing_of(match.player_two).pk, factories.standing_of(match.player_one).pk]
    assert factories.standing_of(waiting.player_one).pk in rows(moderating, "standing", shown="everyone")
    assert rows(moderating, "standing", q=waiting.player_one.username) == [factories.standing_of(waiting.player_one).pk]


def test_a_standing_leads_to_its_ledger(moderating):
    match = factories.confirmed_match()
    standing = factories.standing_of(match.player_one)
    content = moderating.get(reverse("admin:ladder_standing_change", args=[standing.pk])).content.decode()
    assert f"?standing={standing.pk}" in content
    assert "bronze" in content or "silver" in content
    entries = rows(moderating, "ratingentry", standing=str(standing.pk))
    assert entries == list(standing.entries.values_list("pk", flat=True))
