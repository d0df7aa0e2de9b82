"""Accounts."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.indexes import OpClass
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from accounts import usernames
from accounts.limits import MAX_USERNAME

TAKEN = _("This username is taken (names that differ only in case are the same).")


class NormalForm(models.Func):
    """The Unicode normalisation of PostgreSQL, for a constraint."""

    function = "normalize"
    template = "%(function)s(%(expressions)s, NFKC)"
    output_field = models.CharField()


def validate_username(name: str) -> None:
    """Raise ``ValidationError`` with the rule that the name breaks."""
    try:
        usernames.check_username(name)
    except usernames.BadUsername as error:
        raise ValidationError(_(str(error)), code=f"username_{error.code}") from error


class AccountManager(UserManager["User"]):
    """Creates accounts for the API, the admin, imports and ``createsuperuser``."""

    def named(self, username: str) -> User:
        """The account with this name, ignoring case and compatibility form. Raises ``User.DoesNotExist``."""
        return self._named(username).get()

    def is_taken(self, username: str) -> bool:
        return self._named(username).exists()

    def _named(self, username: str) -> models.QuerySet[User]:
        return self.filter(username__lower=Lower(models.Value(usernames.normal_form(username))))

    def get_by_natural_key(self, username: str | None) -> User:
        return self.named(username or "")

    def create_user(self, username: str, email: str | None = None, password: str | None = None, **extra: Any) -> User:
        name = usernames.normal_form(username)
        validate_username(name)
        return super().create_user(name, email, password, **extra)

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **extra: Any
    ) -> User:
        name = usernames.normal_form(username)
        validate_username(name)
        if self.is_taken(name):
            # Django's command checks only unique columns. Ours is unique by an expression.
            raise ValidationError(TAKEN, code="username_taken")
        return super().create_superuser(name, email, password, **extra)


models.CharField.register_lookup(Lower)


class User(AbstractUser):
    """An account. The API identifies players by username and never shows the id."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("username"),
        max_length=MAX_USERNAME,
        validators=[validate_username],
        help_text=_("Letters of one script, digits, and _ . - between them. Unique without regard to case."),
    )
    email = models.EmailField(_("e-mail address"), blank=True)
    language = models.CharField(
        _("language"), max_length=2, choices=[("en", "English"), ("ko", "한국어")], default="en"
    )

    birth_year = models.PositiveSmallIntegerField(
        _("year of birth"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1900), MaxValueValidator(2100)],
        help_text=_("Only where a rating system treats juniors differently. Nobody but the staff sees it."),
    )

    objects: ClassVar[AccountManager] = AccountManager()

    REQUIRED_FIELDS = ["email"]

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="username_unique_without_case",
                violation_error_message=TAKEN,
            ),
            models.CheckConstraint(
                condition=models.Q(username=NormalForm(models.F("username"))),
                name="username_in_normal_form",
                violation_error_message=_("A username cannot contain compatibility characters."),
            ),
        ]
        indexes = [
            # For searches by the start of a name, with any collation of the database.
            models.Index(OpClass(Lower("username"), name="text_pattern_ops"), name="username_start"),
            models.Index(Lower("email"), name="account_email"),
        ]

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    def clean_fields(self, exclude: Any = None) -> None:
        self.username = usernames.normal_form(self.username)
        super().clean_fields(exclude)
