"""Who may open which page of the admin, and that pages which only show cannot be made to write.

The pages are those of the registered ``ModelAdmin`` classes and of the sidebar; who may open them follows from the
permissions of roles. What else an app has here, it says in its ``scenes.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services.roles import MODERATORS, ensure_moderators, permissions_of
from common.admin.navigation import NAVIGATION
from tests.scenes import of_apps

pytestmark = pytest.mark.django_db

SCENES = of_apps().values()
FORMS = {permission for scenes in SCENES for permission in scenes.admin_forms}
PAGES = {page.view: page for scenes in SCENES for page in scenes.admin_pages}
MODELS: list[type[Model]] = list(admin.site._registry)
USUAL = ("changelist", "add", "history", "delete", "change")

Rows = dict[type[Model], Any]
Clients = dict[str, Client]


@pytest.fixture
def rows(player: User) -> Rows:
    """One row of everything that has a page."""
    for scenes in SCENES:
        scenes.grow(player)
    return {**{model: model._default_manager.latest("pk") for model in MODELS}, User: player}


def page(name: str, model: type[Model], *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


def permission_to(action: str, model: type[Model]) -> str:
    return f"{model._meta.app_label}.{action}_{model._meta.model_name}"


def answers(clients: Clients, url: str, method: str = "get") -> dict[str, int]:
    return {who: getattr(client, method)(url).status_code for who, client in clients.items()}


def expected(permission: str) -> dict[str, int]:
    """What everybody is answered by a page that asks for this permission."""
    moderator = 200 if permission in permissions_of(MODERATORS) else 403
    return {"nobody": 302, "player": 302, "newcomer": 403, "moderator": moderator, "operator": 200}


def forms_of(model: type[Model], row: Any) -> dict[str, str]:
    """The addresses at which Django adds, changes and deletes, by the permission that it asks for."""
    urls = {"add": page("add", model), "change": page("change", model, row.pk), "delete": page("delete", model, row.pk)}
    return {permission_to(action, model): url for action, url in urls.items()}


def own_views() -> Iterator[str]:
    """The pages that models have beside those that Django gives to each."""
    for model, model_admin in admin.site._registry.items():
        usual = [f"{model._meta.app_label}_{model._meta.model_name}_{name}" for name in USUAL]
        for pattern in model_admin.get_urls():
            if pattern.name not in usual and str(pattern.pattern) != "<path:object_id>/":
                yield str(pattern.name)


def test_lists_and_details(rows: Rows, clients: Clients, subtests: pytest.Subtests) -> None:
    for model, row in rows.items():
        with subtests.test(model.__name__):
            may = expected(permission_to("view", model))
            assert answers(clients, page("changelist", model)) == may
            for detail in ("change", "history"):
                assert answers(clients, page(detail, model, row.pk)) == may


def test_forms(rows: Rows, clients: Clients, subtests: pytest.Subtests) -> None:
    for model, row in rows.items():
        for permission, url in forms_of(model, row).items():
            if permission in FORMS:
                with subtests.test(permission):
                    # An empty form: who may is asked again, who may not is turned away before.
                    assert answers(clients, url, "post") == expected(permission)


def test_what_has_no_form_cannot_be_written(rows: Rows, clients: Clients, subtests: pytest.Subtests) -> None:
    for model, row in rows.items():
        before = list(model._default_manager.order_by("pk").values())
        forged = {field.attname: "1" for field in model._meta.concrete_fields} | {"post": "yes"}
        mass = {"action": "delete_selected", "_selected_action": [str(row.pk)], "post": "yes"}
        with subtests.test(model.__name__):
            for who in ("newcomer", "moderator", "operator"):
                for permission, url in forms_of(model, row).items():
                    if permission not in FORMS:
                        assert clients[who].post(url, forged).status_code == 403, url
                clients[who].post(page("changelist", model), mass)
            assert list(model._default_manager.order_by("pk").values()) == before


def test_pages_of_their_own(player: User, clients: Clients, subtests: pytest.Subtests) -> None:
    assert sorted(own_views()) == sorted(PAGES)
    for view, its in PAGES.items():
        with subtests.test(view):
            url, may = reverse(f"admin:{view}", args=its.values(player)), expected(its.permission)
            assert answers(clients, url) == may
            # Who may is asked for more, or has done it; who may not is turned away before.
            for who, status in answers(clients, url, "post").items():
                assert status in ((200, 302) if may[who] == 200 else (may[who],))


def test_the_sidebar_leads_where_one_may_go(clients: Clients, subtests: pytest.Subtests) -> None:
    for it in NAVIGATION:
        with subtests.test(str(it.title)):
            may = expected(it.permission) | ({} if it.permission else {"newcomer": 200, "moderator": 200})
            assert answers(clients, f"{it.address}?{it.query}") == may
            for who in ("newcomer", "moderator", "operator"):
                sidebar = clients[who].get(reverse("admin:index")).content.decode()
                assert (f'href="{it.address}' in sidebar) == (may[who] == 200)


def test_staff_without_a_role_is_told_so(clients: Clients) -> None:
    assert "has no role yet" in clients["newcomer"].get(reverse("admin:index")).content.decode()


def test_no_page_has_a_field_for_a_rating(rows: Rows, operating: Client) -> None:
    for model, row in rows.items():
        content = operating.get(page("change", model, row.pk)).content.decode()
        for name in ("rating", "delta", "experience", "peak_rating", "before", "after"):
            assert f'name="{name}"' not in content


def test_only_our_own_pages_are_there(operating: Client) -> None:
    assert operating.get("/admin/mfa/authenticator/").status_code == 404
    assert operating.get("/admin/auth/group/").status_code == 404


def test_the_role_of_moderators_is_made_once_and_put_right() -> None:
    group = ensure_moderators()
    group.permissions.clear()
    assert ensure_moderators() == group
    held = {f"{it.content_type.app_label}.{it.codename}" for it in group.permissions.select_related("content_type")}
    assert held == set(permissions_of(MODERATORS))
    assert {"ladder.rule_match", "accounts.suspend_account", "matchmaking.lift_penalty"} <= held
