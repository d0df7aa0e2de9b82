"""Ladders: superusers edit them, and nobody changes the rules under those who stand on one."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts.models import AuditEntry
from common.errors import Forbidden
from ladder.models import Ladder
from ladder.services import ladders
from tests import factories

pytestmark = pytest.mark.django_db

FORM = {
    "name": "Club", "slug": "club", "rule_set": "fibs-classic", "rule_set_version": "1", "time_zone": "Asia/Seoul",
    "match_lengths": "3,5", "rule_options": "{}",
}  # fmt: skip


def change(ladder: Ladder) -> str:
    return reverse("admin:ladder_ladder_change", args=[ladder.pk])


def test_an_operator_makes_and_changes_a_ladder(operating, operator):
    operating.post("/admin/ladder/ladder/add/", FORM)
    ladder = Ladder.objects.get(slug="club")
    assert ladder.match_lengths == [3, 5]
    operating.post(change(ladder), FORM | {"rule_set": "fibs-flat-1800", "name": "The club"})
    ladder.refresh_from_db()
    assert (ladder.rule_set, ladder.name) == ("fibs-flat-1800", "The club")
    actions = AuditEntry.objects.order_by("pk").values_list("action", "actor__username")
    assert list(actions) == [("ladder.create", operator.username), ("ladder.change", operator.username)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_zone": "Mars/Olympus"},
        {"match_lengths": "0"},
        {"match_lengths": "100"},
        {"rule_set_version": "9"},
        {"rule_options": '{"k": 24}'},
        {"rule_options": "[]x"},
    ],
)
def test_errors_are_shown_at_their_field(operating, wrong):
    response = operating.post("/admin/ladder/ladder/add/", FORM | wrong)
    assert set(response.context["adminform"].form.errors) == set(wrong)
    assert not Ladder.objects.exists()


def test_the_rules_under_a_standing_never_change(operating):
    ladder = Ladder.objects.get(pk=factories.confirmed_match().ladder_id)
    operating.post(change(ladder), FORM | {"name": "Renamed"})
    ladder.refresh_from_db()
    assert (ladder.name, ladder.rule_set) == ("Renamed", "fibs-600")
    ladder.rule_set = "fibs-classic"
    with pytest.raises(ValidationError, match="Create a new ladder"):
        ladder.full_clean()
    with pytest.raises(IntegrityError, match="the ladder has standings"), transaction.atomic():
        Ladder.objects.filter(pk=ladder.pk).update(rule_set="fibs-classic")


def test_a_moderator_looks_only(moderating, moderator):
    ladder = factories.make_ladder()
    assert moderating.post(change(ladder), FORM).status_code == 403
    with pytest.raises(Forbidden):
        ladders.save_ladder(ladder, actor=moderator, changed=["name"])


def test_a_ladder_chooses_the_constants_that_its_rules_leave_open(operating):
    operating.post("/admin/ladder/ladder/add/", FORM | {"rule_set": "elo", "rule_options": '{"k": 24, "scale": 600}'})
    assert Ladder.objects.get().rules.system.parameters == {"k": 24, "scale": 600}


@pytest.mark.parametrize("options", ['{"k": 0}', '{"k": "24"}', '{"stake": 4}', "[1]", '"k"', "5"])
def test_constants_out_of_their_range_are_refused(operating, options):
    response = operating.post("/admin/ladder/ladder/add/", FORM | {"rule_set": "elo", "rule_options": options})
    assert set(response.context["adminform"].form.errors) == {"rule_options"}


def test_an_overall_ladder_is_not_a_member_itself(operating):
    outer = factories.make_ladder("outer")
    inner = factories.make_ladder("inner", overall=outer)
    response = operating.post("/admin/ladder/ladder/add/", FORM | {"overall": str(inner.pk)})
    assert set(response.context["adminform"].form.errors) == {"overall"}
    response = operating.post(change(outer), FORM | {"overall": str(factories.make_ladder("other").pk)})
    assert set(response.context["adminform"].form.errors) == {"overall"}
    operating.post("/admin/ladder/ladder/add/", FORM | {"overall": str(outer.pk)})
    assert Ladder.objects.get(slug="club").overall == outer
