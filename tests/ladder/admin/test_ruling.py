"""Moderators rule and overturn matches: a form, a preview, and one confirmation."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from ladder.models import Match, RatingEntry
from ladder.rules.match_life import Ending, State
from ladder.rules.ranked import Origin
from ladder.services.matches import reporting
from tests import factories
from tests.staff import Visit

pytestmark = pytest.mark.django_db

REASON = "The log of the server shows the last roll."


def url_of(match: Match, action: str = "rule") -> str:
    return reverse(f"admin:ladder_match_{action}", args=[match.pk])


def form(winner: str, **more: Any) -> dict[str, Any]:
    return {"winner": winner, "reason_code": "evidence", "reason": REASON, **more}


def preview(client: Client, match: Match, winner: str, action: str = "rule", **more: Any) -> Any:
    return client.post(url_of(match, action), form(winner, **more))


def kept_fields(response: Any) -> dict[str, Any]:
    """What the button on the preview sends."""
    return {**response.context["kept"], "confirm": "yes"}


def rule(client: Client, match: Match, winner: str, action: str = "rule", **more: Any) -> Any:
    return client.post(url_of(match, action), kept_fields(preview(client, match, winner, action, **more)))


def messages_of(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def numbers(entries: Any) -> list[tuple[Any, ...]]:
    return sorted((entry.standing_id, entry.kind, entry.before, entry.delta, entry.after) for entry in entries)


def test_both_reports_stand_side_by_side(moderating):
    match = factories.started_match()
    one, two = match.player_one, match.player_two
    reporting.report(match.pk, one, winner=one.username, loser_score=3)
    reporting.report(match.pk, two, winner=two.username, loser_score=1)
    response = moderating.get(reverse("admin:ladder_match_change", args=[match.pk]))
    sides = response.context["page"].sides
    assert [(side.player, [(r.winner, r.loser_score) for r in side.reports]) for side in sides] == [
        (one, [(one, 3)]),
        (two, [(two, 1)]),
    ]
    content = response.content.decode()
    assert content.index('data-side="1"') < content.index("5 : 3") < content.index('data-side="2"')
    assert content.index('data-side="2"') < content.index("5 : 1")
    assert url_of(match) in content


def test_a_dispute_is_shown_with_its_text(moderating):
    match = factories.awaiting_match()
    reporting.dispute(match.pk, match.player_two, text="My clock <b>still</b> ran.")
    content = moderating.get(reverse("admin:ladder_match_change", args=[match.pk])).content.decode()
    assert "My clock &lt;b&gt;still&lt;/b&gt; ran." in content
    assert "Disputed the report." in content


@pytest.mark.parametrize("winner", ["1", "2"])
def test_a_ruling_is_shown_before_it_is_made_and_made_as_shown(moderating, moderator, winner):
    match = factories.disputed_match()
    shown = preview(moderating, match, winner, loser_score="2")
    promised = numbers(item.entry for item in shown.context["entries"])
    assert not RatingEntry.objects.exists()
    assert not AuditEntry.objects.exists()
    assert "8 × √5 × (1 - 0.500000) × 4.95) = +44.27" in shown.content.decode()

    done = moderating.post(url_of(match), kept_fields(shown))
    match.refresh_from_db()
    assert match.state == State.CONFIRMED
    assert match.winner == factories.player_of(match, 1 if winner == "1" else 2)
    assert (factories.ruling_of(match), match.loser_score) == (REASON, 2)
    assert numbers(factories.entries_of(match)) == promised
    assert AuditEntry.objects.get(target_id=str(match.pk)).actor == moderator
    assert messages_of(done) == ["The match is ruled. Both players are notified."]
    content = moderating.get(done["Location"]).content.decode()
    assert REASON in content
    assert "8 × √5 × (1 - 0.500000) × 4.95) = -44.27" in content
    assert str(moderator) in content


@pytest.mark.parametrize("make", [factories.disputed_match, factories.awaiting_match, factories.started_match])
def test_an_open_match_is_ruled_void(moderating, make):
    match = make()
    assert "No rating changes" in preview(moderating, match, "void").content.decode()
    rule(moderating, match, "void")
    match.refresh_from_db()
    assert (match.state, match.void_reason, factories.ruling_of(match)) == (State.VOIDED, "evidence", REASON)
    assert not RatingEntry.objects.exists()


def test_a_confirmed_match_is_voided_by_exact_opposites(moderating):
    match = factories.confirmed_match()
    settled = numbers(factories.entries_of(match))
    assert "-(+44.27) = -44.27" in preview(moderating, match, "void", "overturn").content.decode()
    assert numbers(factories.entries_of(match)) == settled
    rule(moderating, match, "void", "overturn")
    match.refresh_from_db()
    assert match.state == State.VOIDED
    by_standing: dict[int, list[Any]] = {}
    for entry in factories.entries_of(match):
        by_standing.setdefault(entry.standing_id, []).append(entry.delta)
    assert all(first + second == 0 for first, second in by_standing.values())
    assert factories.standing_of(match.player_one).rating == 600


def test_a_confirmed_match_is_corrected_as_shown(moderating):
    match = factories.confirmed_match(winner=1)
    shown = preview(moderating, match, "2", "overturn")
    promised = numbers(item.entry for item in shown.context["entries"])
    assert len(promised) == 4
    moderating.post(url_of(match, "overturn"), kept_fields(shown))
    match.refresh_from_db()
    assert match.winner == match.player_two
    assert numbers(factories.entries_of(match)[2:]) == promised


def test_an_unrated_match_is_overturned_without_a_ledger(moderating):
    match = factories.confirmed_match(origin=Origin.CHALLENGE)
    assert "No rating changes" in preview(moderating, match, "void", "overturn").content.decode()
    rule(moderating, match, "void", "overturn")
    match.refresh_from_db()
    assert match.state == State.VOIDED


@pytest.mark.parametrize(
    ("action", "winner"), [("rule", "1"), ("rule", "2"), ("rule", "void"), ("overturn", "2"), ("overturn", "void")]
)
def test_a_second_press_of_the_button_changes_nothing(moderating, moderator, action, winner):
    match = factories.disputed_match() if action == "rule" else factories.confirmed_match()
    button = kept_fields(preview(moderating, match, winner, action))
    moderating.post(url_of(match, action), button)
    entries, trail = RatingEntry.objects.count(), AuditEntry.objects.count()
    again = moderating.post(url_of(match, action), button)
    assert again.status_code == 302
    assert messages_of(again)[-1] == f"Already ruled by {moderator}. Nothing was changed."
    assert (RatingEntry.objects.count(), AuditEntry.objects.count()) == (entries, trail)


def test_two_moderators_who_disagree(moderating, operating):
    match = factories.disputed_match()
    first, second = (
        kept_fields(preview(client, match, winner)) for client, winner in ((moderating, "1"), (operating, "2"))
    )
    moderating.post(url_of(match), first)
    late = operating.post(url_of(match), second)
    assert messages_of(late) == ["The match is confirmed with another result."]
    match.refresh_from_db()
    assert match.winner == match.player_one


def test_a_match_that_changed_meanwhile_is_shown_again(moderating):
    match = factories.started_match()
    button = kept_fields(preview(moderating, match, "2"))
    reporting.report(match.pk, match.player_one, winner=match.player_one.username)
    again = moderating.post(url_of(match), button)
    assert again.status_code == 200
    assert messages_of(again) == ["The match has changed since you opened this page. Please check again."]
    match.refresh_from_db()
    assert match.state == State.AWAITING_CONFIRMATION
    moderating.post(url_of(match), kept_fields(again))
    match.refresh_from_db()
    assert match.winner == match.player_two


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"winner": ""}, "winner"),
        ({"winner": "3"}, "winner"),
        ({"reason_code": ""}, "reason_code"),
        ({"reason_code": "mood"}, "reason_code"),
        ({"reason": "   "}, "reason"),
        ({"reason": "x" * 2001}, "reason"),
        ({"loser_score": "5"}, "loser_score"),
        ({"loser_score": "-1"}, "loser_score"),
        ({"loser_score": "many"}, "loser_score"),
    ],
)
def test_errors_are_shown_at_their_field(moderating, wrong, field):
    match = factories.disputed_match()
    response = moderating.post(url_of(match), form("1") | wrong | {"confirm": "yes"})
    assert response.status_code == 200
    assert set(response.context["form"].errors) == {field}
    match.refresh_from_db()
    assert match.state == State.DISPUTED


def test_the_form_can_be_changed_after_the_preview(moderating):
    match = factories.disputed_match()
    button = kept_fields(preview(moderating, match, "1"))
    response = moderating.post(url_of(match), {**button, "back": "yes"})
    assert REASON in response.content.decode()
    match.refresh_from_db()
    assert match.state == State.DISPUTED


def test_pages_for_which_a_match_has_no_use_lead_back_to_it(moderating):
    for match, action in (
        (factories.offered_match(), "rule"),
        (factories.confirmed_match(), "rule"),
        (factories.disputed_match(), "overturn"),
        (factories.cancelled_match(), "overturn"),
    ):
        response = moderating.get(url_of(match, action))
        assert response["Location"] == reverse("admin:ladder_match_change", args=[match.pk])
        assert messages_of(response)[-1] == f"The match is {match.get_state_display()} and cannot be ruled here."
    refused = moderating.post(url_of(factories.offered_match()), form("1"))
    assert messages_of(refused)[-1] == "The match has not started yet."
    assert moderating.get(url_of(Match())).status_code == 404


@pytest.mark.parametrize("action", ["rule", "overturn"])
def test_a_moderator_cannot_rule_an_own_match(moderator, visit: Visit, action):
    make = factories.disputed_match if action == "rule" else factories.confirmed_match
    match = make(moderator, factories.make_player())
    before = Match.objects.values().get(pk=match.pk)
    asking = visit(moderator)
    for answer in (
        asking.get(url_of(match, action)),
        preview(asking, match, "void", action),
        preview(asking, match, "void", action, confirm="yes", seen=f"{match.state}:{match.winner_id}"),
    ):
        assert answer["Location"] == reverse("admin:ladder_match_change", args=[match.pk])
        assert messages_of(answer)[-1] == "You cannot rule your own match. Please leave it to another moderator."
    assert Match.objects.values().get(pk=match.pk) == before


def test_a_superuser_is_warned_about_an_own_match(operator, visit: Visit):
    match = factories.disputed_match(operator, factories.make_player())
    assert "You are a player of this match" in visit(operator).get(url_of(match)).content.decode()


def test_no_button_without_the_permission(newcomer, visit: Visit):
    newcomer.user_permissions.add(Permission.objects.get(codename="view_match", content_type__app_label="ladder"))
    match = factories.disputed_match()
    content = visit(newcomer).get(reverse("admin:ladder_match_change", args=[match.pk])).content.decode()
    assert url_of(match) not in content
    assert visit(newcomer).post(url_of(match), form("1", confirm="yes")).status_code == 403


def test_the_match_page_shows_the_rulings(moderating, moderator):
    match = factories.disputed_match()
    rule(moderating, match, "1", loser_score="2", ending="resigned", note="Warned <b>before</b>.")
    rule(moderating, match, "2", "overturn", reason_code="cheating")
    response = moderating.get(reverse("admin:ladder_match_change", args=[match.pk]))
    first, second = response.context["page"].rulings
    assert (first.winner, first.loser_score, first.ending, first.note) == (
        match.player_one, 2, "resigned", "Warned <b>before</b>.",
    )  # fmt: skip
    assert (first.state_before, first.winner_before, first.actor) == (State.DISPUTED, None, moderator)
    assert (second.winner, second.winner_before) == (match.player_two, match.player_one)
    content = response.content.decode().split('id="rulings"')[1]
    shown = content.split('data-ruling="2"')
    for text in (f"{match.player_one} won", "resigned", "5 : 2", "Before: disputed", str(moderator), REASON,
                 "The evidence shows it", "Private note", "Warned &lt;b&gt;before&lt;/b&gt;."):  # fmt: skip
        assert text in shown[0]
    for text in (f"{match.player_two} won", f"{match.player_one} won", "Before: confirmed", "A player cheated"):
        assert text in shown[1]
    assert "Private note" not in shown[1]


def test_the_private_note_is_on_the_preview_and_not_in_the_event(moderating):
    match = factories.disputed_match()
    page = preview(moderating, match, "1", note="An old friend of ours.")
    assert "An old friend of ours." in page.content.decode()
    moderating.post(url_of(match), kept_fields(page))
    assert match.rulings.get().note == "An old friend of ours."
    assert "friend" not in str([event.data for event in match.player_one.events.all()])


@pytest.mark.parametrize(
    ("winner", "changes", "result"),
    [
        ("1", {}, (3, "resigned")),
        ("2", {}, (None, "played")),
        ("2", {"loser_score": "4"}, (4, "played")),
        ("2", {"ending": "timed_out"}, (None, "timed_out")),
        ("1", {"loser_score": "", "ending": ""}, (3, "resigned")),
        ("void", {}, (None, None)),
    ],
)
def test_the_reported_result_is_filled_in(moderating, winner, changes, result):
    match = factories.started_match()
    reporting.report(
        match.pk, match.player_one, winner=match.player_one.username, loser_score=3, ending=Ending.RESIGNED
    )
    initial = moderating.get(url_of(match)).context["form"].initial
    assert initial == {"loser_score": 3, "ending": "resigned"}
    rule(moderating, match, winner, **{**initial, **changes})
    ruling = match.rulings.get()
    assert (ruling.loser_score, ruling.ending) == result


def test_nothing_is_filled_in_if_both_claim_the_win(moderating):
    assert moderating.get(url_of(factories.disputed_match())).context["form"].initial == {}
