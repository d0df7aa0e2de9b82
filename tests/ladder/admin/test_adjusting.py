"""Superusers adjust a standing in the admin: a form, a preview, one confirmation."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from ladder.models import RatingEntry, Standing
from tests import factories
from tests.staff import said

pytestmark = pytest.mark.django_db

REASON = "A match was entered twice."


@pytest.fixture
def standing() -> Standing:
    return factories.standing_of(factories.confirmed_match().player_one)


def url_of(standing: Standing) -> str:
    return reverse("admin:ladder_standing_adjust", args=[standing.pk])


def values(**changes: Any) -> dict[str, Any]:
    return {"points": "-4.27", "experience": "-5", "reason": REASON, **changes}


def confirmation(preview: Any) -> dict[str, Any]:
    """What the button on the preview sends."""
    return {**preview.context["kept"], "confirm": "yes"}


def test_the_preview_shows_before_and_after_and_saves_nothing(operating: Client, standing: Standing) -> None:
    preview = operating.post(url_of(standing), values())
    entry = preview.context["item"].entry
    assert (entry.before, entry.delta, entry.after) == (Decimal("644.27"), Decimal("-4.27"), Decimal("640.00"))
    content = preview.content.decode()
    for text in ("644.27", "-4.27", "640.00", "5 -5 → 0", REASON):
        assert text in content
    assert RatingEntry.objects.filter(kind="adjustment").count() == 0
    assert not standing.player.events.filter(kind="rating_adjusted").exists()


def test_the_confirmation_saves_what_was_shown(operating: Client, operator: Any, standing: Standing) -> None:
    done = operating.post(url_of(standing), confirmation(operating.post(url_of(standing), values())), follow=True)
    assert said(done) == "The rating is adjusted. The player is notified."
    entry = RatingEntry.objects.get(kind="adjustment")
    assert (entry.after, entry.experience_after, entry.actor, entry.reason) == (Decimal("640.00"), 0, operator, REASON)
    assert AuditEntry.objects.get(action="rating.adjust").actor == operator
    assert standing.player.events.filter(kind="rating_adjusted").count() == 1


def test_a_second_press_of_the_button_shows_a_new_preview(operating: Client, standing: Standing) -> None:
    button = confirmation(operating.post(url_of(standing), values(experience="0")))
    operating.post(url_of(standing), button)
    again = operating.post(url_of(standing), button)
    assert said(again).endswith("The standing has changed since you opened this page. Please check again.")
    assert again.context["item"].entry.before == Decimal("640.00")
    assert RatingEntry.objects.filter(kind="adjustment").count() == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"reason": "  "}, "reason"),
        ({"points": "0", "experience": "0"}, "points"),
        ({"points": "0.005"}, "points"),
        ({"points": "NaN"}, "points"),
        ({"points": "1000001"}, "points"),
        ({"experience": "-6"}, "experience"),
        ({"experience": "2000000000"}, "experience"),
        ({"experience": ""}, "experience"),
    ],
)
def test_errors_are_shown_at_their_field(
    operating: Client, standing: Standing, wrong: dict[str, str], field: str
) -> None:
    response = operating.post(url_of(standing), values(**wrong) | {"confirm": "yes", "seen": "1"})
    assert set(response.context["form"].errors) == {field}
    assert RatingEntry.objects.filter(kind="adjustment").count() == 0


def test_the_values_can_be_changed_after_the_preview(operating: Client, standing: Standing) -> None:
    button = confirmation(operating.post(url_of(standing), values()))
    response = operating.post(url_of(standing), {**button, "back": "yes"})
    assert REASON in response.content.decode()
    assert RatingEntry.objects.filter(kind="adjustment").count() == 0


def test_only_superusers_see_the_button(operating: Client, moderating: Client, standing: Standing) -> None:
    page = reverse("admin:ladder_standing_change", args=[standing.pk])
    assert url_of(standing) in operating.get(page).content.decode()
    assert url_of(standing) not in moderating.get(page).content.decode()
    assert operating.get(reverse("admin:ladder_standing_adjust", args=[0])).status_code == 404
