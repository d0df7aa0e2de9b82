"""Who may open which page, and that pages which only show cannot be made to write."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, ServiceKey, Suspension, User
from accounts.services import suspensions
from accounts.services.roles import MODERATORS, ensure_moderators, permissions_of
from common.models import IdempotencyKey
from ladder.models import DecayPause, DecayRun, Ladder, Match, MatchReport, RatingEntry, Standing
from ladder.services import decay
from tests import factories

pytestmark = pytest.mark.django_db

SHOWN_TO_MODERATORS = (
    Ladder, Match, MatchReport, RatingEntry, Standing, AuditEntry, User, DecayRun, DecayPause, Suspension,
)  # fmt: skip
READ_ONLY = (Match, MatchReport, RatingEntry, Standing, AuditEntry, DecayRun, Suspension)


@pytest.fixture
def rows() -> dict[Any, Any]:
    """One row of everything that has a page."""
    match = factories.confirmed_match()
    factories.make_service_key()
    factories.voided_match()
    make_night_and_pause()
    suspensions.suspend(
        match.player_one_id, actor=factories.make_player(is_superuser=True), reason="Stalling.", until=None
    )
    return {
        model: model._default_manager.order_by("-pk")[0]
        for model in (*SHOWN_TO_MODERATORS, ServiceKey)
        if model is not Match
    } | {Match: match}


def make_night_and_pause() -> tuple[DecayRun, DecayPause]:
    """A night that charged nobody, and a pause from today on."""
    ladder = factories.make_ladder()
    (run,) = decay.bring_up_to_date(ladder)
    pause = decay.declare_pause(
        ladder, first_day=run.day, last_day=run.day + timedelta(days=9), reason="Down.",
        actor=factories.make_player(is_superuser=True),
    )  # fmt: skip
    return run, pause


def page(name: str, model: type[Model], *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


def answers(clients: dict[str, Client], url: str, method: str = "get") -> dict[str, int]:
    return {who: getattr(client, method)(url).status_code for who, client in clients.items()}


STAFF_WITH_THE_RIGHT = {"nobody": 302, "player": 302, "newcomer": 403, "moderator": 200, "operator": 200}
OPERATORS = STAFF_WITH_THE_RIGHT | {"moderator": 403}
NOBODY_AT_ALL = OPERATORS | {"operator": 403}


@pytest.mark.parametrize("model", SHOWN_TO_MODERATORS)
def test_lists_and_details_are_for_moderators(model, rows, clients):
    assert answers(clients, page("changelist", model)) == STAFF_WITH_THE_RIGHT
    assert answers(clients, page("change", model, rows[model].pk)) == STAFF_WITH_THE_RIGHT


def test_service_keys_are_for_operators(rows, clients):
    key = rows[ServiceKey]
    for url in (page("changelist", ServiceKey), page("change", ServiceKey, key.pk), page("revoke", ServiceKey, key.pk)):
        assert answers(clients, url) == OPERATORS
    assert answers(clients, page("add", ServiceKey)) == OPERATORS
    assert answers(clients, page("revoke", ServiceKey, key.pk), "post") == OPERATORS | {"operator": 302}


@pytest.mark.parametrize("model", [Ladder, User])
def test_ladders_and_accounts_are_made_by_operators(model, clients):
    assert answers(clients, page("add", model)) == OPERATORS


def test_rulings_are_for_moderators(clients):
    disputed, confirmed = factories.disputed_match(), factories.confirmed_match()
    assert answers(clients, page("rule", Match, disputed.pk)) == STAFF_WITH_THE_RIGHT
    assert answers(clients, page("overturn", Match, confirmed.pk)) == STAFF_WITH_THE_RIGHT
    # An empty form: who may rule is asked again, who may not is turned away before.
    assert answers(clients, page("rule", Match, disputed.pk), "post") == STAFF_WITH_THE_RIGHT


def test_pauses_are_declared_and_ended_by_moderators(clients):
    _, pause = make_night_and_pause()
    for url in (page("add", DecayPause), page("end", DecayPause, pause.pk)):
        assert answers(clients, url) == STAFF_WITH_THE_RIGHT
        # An empty form: who may is asked again, who may not is turned away before.
        assert answers(clients, url, "post") == STAFF_WITH_THE_RIGHT


def test_nights_are_reversed_by_operators(clients):
    run, _ = make_night_and_pause()
    assert answers(clients, page("reverse", DecayRun, run.pk)) == OPERATORS
    assert answers(clients, page("reverse", DecayRun, run.pk), "post") == OPERATORS
    run.refresh_from_db()
    assert run.state == "completed"


def test_ratings_are_adjusted_by_superusers(rows, clients):
    url = page("adjust", Standing, rows[Standing].pk)
    assert answers(clients, url) == OPERATORS
    assert answers(clients, url, "post") == OPERATORS
    assert not RatingEntry.objects.filter(kind="adjustment").exists()


def test_a_pause_is_not_edited(clients):
    _, pause = make_night_and_pause()
    for who in ("moderator", "operator"):
        forged = {"last_day": "2099-01-01", "reason": "x"}
        assert clients[who].post(page("change", DecayPause, pause.pk), forged).status_code == 403
    assert DecayPause.objects.get().last_day == pause.last_day


def test_the_overview_opens_for_all_staff(clients):
    assert answers(clients, reverse("admin:index")) == STAFF_WITH_THE_RIGHT | {"newcomer": 200}
    assert "has no role yet" in clients["newcomer"].get(reverse("admin:index")).content.decode()


@pytest.mark.parametrize("model", READ_ONLY)
def test_what_services_write_cannot_be_written_here(model, rows, clients):
    before = list(model._default_manager.order_by("pk").values())
    row = rows[model]
    forged = {field.attname: "1" for field in model._meta.concrete_fields}
    for who in ("moderator", "operator"):
        for url in (page("add", model), page("change", model, row.pk), page("delete", model, row.pk)):
            assert clients[who].post(url, forged | {"post": "yes"}).status_code == 403, url
        mass = {"action": "delete_selected", "_selected_action": [str(row.pk)], "post": "yes"}
        clients[who].post(page("changelist", model), mass)
    assert list(model._default_manager.order_by("pk").values()) == before


@pytest.mark.parametrize("model", [Ladder, User, ServiceKey, DecayPause])
def test_nothing_is_ever_deleted_here(model, rows, clients):
    assert answers(clients, page("delete", model, rows[model].pk), "post") == NOBODY_AT_ALL
    assert model._default_manager.filter(pk=rows[model].pk).exists()


def test_no_page_has_a_field_for_a_rating(rows, operating):
    for model in (*SHOWN_TO_MODERATORS, ServiceKey):
        content = operating.get(page("change", model, rows[model].pk)).content.decode()
        for name in ("rating", "delta", "experience", "peak_rating", "before", "after"):
            assert f'name="{name}"' not in content


def test_only_our_own_pages_are_there(operating):
    assert operating.get("/admin/mfa/authenticator/").status_code == 404
    assert operating.get("/admin/auth/group/").status_code == 404
    assert operating.get(f"/admin/common/{IdempotencyKey._meta.model_name}/").status_code == 404


def test_the_role_of_moderators_is_made_once_and_put_right():
    group = ensure_moderators()
    group.permissions.clear()
    assert ensure_moderators() == group
    held = {f"{it.content_type.app_label}.{it.codename}" for it in group.permissions.select_related("content_type")}
    assert held == set(permissions_of(MODERATORS))
    assert {"ladder.rule_match", "accounts.suspend_account", "matchmaking.lift_penalty"} <= held
