"""Accounts: the rules of usernames apply everywhere, and usernames are unique."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from accounts.models import User
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_name_is_stored_in_its_normal_form() -> None:
    assert User.objects.create_user(" Ａｎｎａ ").username == "Anna"


@pytest.mark.parametrize("spelling", ["Anna", "ANNA", "anna", "Ａｎｎａ", " anna "])
def test_a_player_is_found_by_any_spelling_of_the_name(spelling: str) -> None:
    player = factories.make_player("Anna")
    assert User.objects.named(spelling) == player
    assert User.objects.get_by_natural_key(spelling) == player
    assert User.objects.is_taken(spelling)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user(spelling)


def test_unknown_names() -> None:
    assert not User.objects.is_taken("Anna")
    with pytest.raises(User.DoesNotExist):
        User.objects.named("Anna")


@pytest.mark.parametrize("name", ["a", "аlice", "a b", "", "-ab"])
def test_invalid_names_are_always_refused(name: str) -> None:
    def by_form() -> None:
        User(username=name, password="x").full_clean()

    for path in (
        lambda: User.objects.create_user(name),
        lambda: User.objects.create_superuser(name, "root@example.org", "x"),
        by_form,
    ):
        with pytest.raises(ValidationError):
            path()
    assert not User.objects.exists()


def test_createsuperuser_uses_the_same_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", factories.PASSWORD)

    def create(name: str) -> None:
        call_command("createsuperuser", username=name, email="root@example.org", interactive=False, verbosity=0)

    create("Root")
    for name, why in (("ROOT", "is taken"), ("rооt", "cannot mix scripts"), ("Ａｎｎａ", "compatibility")):
        with pytest.raises(CommandError, match=why):
            create(name)
    assert User.objects.get().username == "Root"


def test_a_form_shows_that_a_name_is_taken_in_another_case() -> None:
    factories.make_player("Anna")
    with pytest.raises(ValidationError) as refused:
        User(username="ANNA", password="x").full_clean()
    assert "This username is taken" in str(refused.value)
