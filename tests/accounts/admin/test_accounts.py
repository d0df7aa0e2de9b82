"""Accounts: operators create them; moderators cannot change staff or rights."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from accounts.models import AuditEntry, User
from accounts.services import administration
from accounts.services.roles import ensure_moderators
from common.errors import Forbidden
from tests import factories
from tests.staff import Visit

pytestmark = pytest.mark.django_db

ADD = "/admin/accounts/user/add/"


def new(username: str, **more: str) -> dict[str, str]:
    password = "long and unusual 7"
    return {"username": username, "email": "", "language": "en", "password1": password, "password2": password, **more}


def change(account: User) -> str:
    return reverse("admin:accounts_user_change", args=[account.pk])


def fields(account: User, **more: Any) -> dict[str, Any]:
    on = {name: "on" for name in ("is_active", "is_staff", "is_superuser") if getattr(account, name)}
    return {"username": account.username, "email": account.email, "language": account.language, **on, **more}


def test_an_operator_creates_an_account(operating, operator):
    response = operating.post(ADD, new("ＰＬＡＹＥＲ９", email="nine@example.org", language="ko"))
    account = User.objects.get(username="PLAYER9")
    assert response["Location"] == change(account)
    assert account.check_password("long and unusual 7")
    assert (account.email, account.language, account.is_staff) == ("nine@example.org", "ko", False)
    assert AuditEntry.objects.get(action="account.create").actor == operator


@pytest.mark.parametrize(
    ("wrong", "field", "message"),
    [
        ({"username": "TAKEN01"}, "username", "taken"),
        ({"username": "plаyer"}, "username", "mix scripts"),
        ({"username": "a"}, "username", "2 to 30"),
        ({"username": "two words"}, "username", "letters, digits"),
        ({"username": ""}, "username", "required"),
        ({"email": "nonsense"}, "email", "valid email"),
        ({"password2": "another"}, "password2", "match"),
        ({"password1": "12345", "password2": "12345"}, "password2", "short"),
    ],
)
def test_errors_are_shown_at_their_fields(operating, wrong, field, message):
    factories.make_player("taken01")
    before = User.objects.count()
    response = operating.post(ADD, new("player77") | wrong)
    assert list(response.context["errors"][0]) or response.context["adminform"].form.errors
    assert message in " ".join(response.context["adminform"].form.errors[field])
    assert User.objects.count() == before


def test_a_moderator_can_rename_and_deactivate_a_player(moderating, moderator, player):
    old = player.username
    data = fields(player, username="politer")
    del data["is_active"]
    assert moderating.post(change(player), data).status_code == 302
    player.refresh_from_db()
    assert (player.username, player.is_active) == ("politer", False)
    entry = AuditEntry.objects.get(action="account.change")
    assert entry.actor == moderator
    assert entry.data["values"] == {"username": [old, "politer"], "is_active": [True, False]}


def test_a_name_may_change_its_case_but_not_become_a_taken_one(moderating, player):
    factories.make_player("neighbour")
    moderating.post(change(player), fields(player, username=player.username.upper()))
    response = moderating.post(change(player), fields(player, username="NeighBour"))
    assert "taken" in str(response.context["adminform"].form.errors["username"])
    assert User.objects.get(pk=player.pk).username == player.username.upper()


def test_a_moderator_cannot_change_address_or_rights(moderating, player):
    group = ensure_moderators()
    forged = fields(
        player, email="thief@example.org", language="ko", is_staff="on", is_superuser="on", groups=str(group.pk),
        password="x",
    )  # fmt: skip
    before = User.objects.filter(pk=player.pk).values().get()
    assert moderating.post(change(player), forged).status_code == 302
    assert User.objects.filter(pk=player.pk).values().get() == before
    assert not player.groups.exists()
    assert not AuditEntry.objects.exists()


def test_a_moderator_cannot_change_staff(moderating, moderator, operator, newcomer):
    for account in (operator, newcomer, moderator):
        assert moderating.get(change(account)).status_code == 200
        assert moderating.post(change(account), fields(account, username="mine")).status_code == 403
    assert moderating.post(ADD, new("player78")).status_code == 403


def test_only_a_superuser_sets_passwords(moderating, operating, operator, player):
    url = f"/admin/accounts/user/{player.pk}/password/"
    data = {"password1": "long and unusual 8", "password2": "long and unusual 8"}
    assert moderating.get(url).status_code == 403
    assert moderating.post(url, data).status_code == 403
    assert operating.get(url).status_code == 200
    assert operating.post(url, data).status_code == 302
    player.refresh_from_db()
    assert player.check_password("long and unusual 8")
    assert AuditEntry.objects.get(action="account.password").actor == operator


def test_a_superuser_gives_rights_which_is_audited(operating, player):
    group = ensure_moderators()
    operating.post(change(player), fields(player, is_staff="on", groups=str(group.pk), email="new@example.org"))
    player.refresh_from_db()
    assert player.is_staff
    assert list(player.groups.all()) == [group]
    entry = AuditEntry.objects.get(action="account.change")
    assert entry.data["changed"] == ["email", "groups", "is_staff"]
    # The audit trail cannot be deleted, so it must not contain addresses.
    assert entry.data["values"] == {"is_staff": [False, True], "groups": [[], ["Moderators"]]}


def test_the_service_itself_refuses(moderator, operator, player):
    with pytest.raises(Forbidden):
        administration.change_account(operator, actor=moderator, changed=["username"])
    with pytest.raises(Forbidden):
        administration.change_account(player, actor=moderator, changed=["email"])
    with pytest.raises(Forbidden):
        administration.change_account(player, actor=player, changed=["username"])
    with pytest.raises(Forbidden):
        administration.create_account(actor=moderator, username="someone", email="", password=None, language="en")


def test_an_account_links_to_its_matches(moderating, player):
    content = moderating.get(change(player)).content.decode()
    for page in ("ladder/standing", "ladder/ratingentry", "ladder/match", "accounts/suspension"):
        assert f"/admin/{page}/?q={player.username}" in content


def test_a_deactivated_account_is_signed_out_at_once(moderator, visit: Visit):
    client = visit(moderator)
    User.objects.filter(pk=moderator.pk).update(is_active=False)
    assert client.get(reverse("admin:index")).status_code == 302


def test_superusers_enter_the_year_of_birth(operating, moderating, player):
    assert 'name="birth_year"' in operating.get(change(player)).content.decode()
    assert operating.post(change(player), fields(player, birth_year="2010")).status_code == 302
    player.refresh_from_db()
    assert player.birth_year == 2010
    assert AuditEntry.objects.get(action="account.change").data == {"changed": ["birth_year"], "values": {}}
    response = operating.post(change(player), fields(player, birth_year="1850"))
    assert "birth_year" in response.context["adminform"].form.errors

    assert "birth_year" not in moderating.get(change(player)).content.decode()
    moderating.post(change(player), fields(player, birth_year="1999"))
    player.refresh_from_db()
    assert player.birth_year == 2010
