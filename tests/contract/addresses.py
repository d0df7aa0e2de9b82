"""All addresses of the API, as the URL resolver knows them, and who calls them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import ServiceKey, User
from tests import clients
from tests.factories import make_moderator, make_player, make_service_key
from tests.scenes import Scene

# Doors of their own: allauth's, whose tests are its own, and the admin (test_admin_permissions.py).
OTHER_DOORS = ("_allauth/", "admin/")


def known() -> dict[str, URLPattern]:
    """Every method of every address, such as ``GET /api/v1/ladders/<slug:slug>``."""
    return dict(_below(get_resolver().url_patterns, "/"))


def _below(patterns: Any, prefix: str) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        route = str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if prefix != "/" or route not in OTHER_DOORS:
                yield from _below(pattern.url_patterns, prefix + route)
        else:
            for method in _methods(pattern):
                yield f"{method} {prefix}{route}", pattern


def _methods(pattern: URLPattern) -> list[str]:
    view = getattr(pattern.callback, "cls", None)
    if view is None:
        return ["GET"]
    return [name.upper() for name in ("get", "post", "put", "patch", "delete") if hasattr(view, name)]


def ask(client: clients.Client, address: str, scene: Scene) -> Any:
    """Call the address, with the scene's values for the names in it."""
    method, route = address.split()
    path = re.sub(r"<\w+:(\w+)>", lambda name: str(scene.names[name[1]]), route)
    return client.generic(method, path, clients.json_of(scene.body), content_type="application/json")


def client_of(caller: str, player: User) -> clients.Client:
    """A caller, by its name in ``tests.scenes.Who``; ``player`` is whose scene it is."""
    match caller:
        case "anonymous":
            return clients.anonymous()
        case "player":
            return clients.player(player)
        case "other_player":
            return clients.player(make_player())
        case "game_server":
            return clients.game_server(make_service_key())
        case "key_without_scope":
            key = make_service_key()
            ServiceKey.objects.update(scopes=[])
            return clients.game_server(key)
        case "moderator":
            return clients.player(make_moderator())
        case "superuser":
            return clients.player(make_player(is_superuser=True, is_staff=True))
    raise ValueError(f"nobody is called {caller}")
