"""Who gets which answer from every address there is. Each app speaks of its addresses in its ``scenes.py``."""

from __future__ import annotations

import pytest

from tests.contract.addresses import ask, client_of, known
from tests.factories import make_player
from tests.scenes import DONE, Address, of_apps, undone

ADDRESSES = [address for scenes in of_apps().values() for address in scenes.addresses]


def test_every_address_says_who_may_use_it() -> None:
    assert sorted(it.address for it in ADDRESSES) == sorted(known())


@pytest.mark.django_db
@pytest.mark.parametrize("it", ADDRESSES, ids=lambda it: it.address)
def test_who_gets_which_answer(it: Address, subtests: pytest.Subtests) -> None:
    player = make_player()
    scene = it.make(player)
    for caller, answer in it.who._asdict().items():
        with subtests.test(caller), undone():
            status = ask(client_of(caller, player), it.address, scene).status_code
            assert status == (it.done if answer == DONE else answer)
