"""Only what the system paired counts, and everything else says why not."""

from __future__ import annotations

from ladder.rules.ranked import RANKED_ORIGINS, Origin, unrated_by_origin


def test_which_origins_are_ranked() -> None:
    assert {origin.value for origin in RANKED_ORIGINS} == {"matchmaking", "tournament", "import"}


def test_every_other_origin_names_its_reason() -> None:
    assert {origin.value: unrated_by_origin(origin) for origin in Origin} == {
        "matchmaking": None,
        "tournament": None,
        "import": None,
        "challenge": "challenge",
        "invite": "invite",
        "rematch": "rematch",
    }
