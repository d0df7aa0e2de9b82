"""Adapts allauth's headless API (sign up, sign in, sign out) to our accounts."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.headless.adapter import DefaultHeadlessAdapter
from allauth.headless.internal import sessionkit
from allauth.headless.internal.restkit.response import ErrorResponse
from allauth.headless.tokens.strategies.sessions import SessionTokenStrategy
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import get_language, override

from accounts.models import User
from accounts.models.user import validate_username
from accounts.usernames import normal_form
from common.api.bearer import bearer_token


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Checks usernames as everywhere. Names that differ only in case are the same."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = normal_form(username)
        validate_username(name)
        if not shallow and User.objects.is_taken(name):
            raise self._taken()
        return name

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> Any:
        language = get_language()
        if language in dict(settings.LANGUAGES):
            user.language = language
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)
        except IntegrityError as error:
            # Another sign-up took the name after the check.
            raise ImmediateHttpResponse(ErrorResponse(request, exception=self._taken())) from error

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the e-mail in the language of the account, not of the request."""
        account = context.get("user") or User.objects.filter(emailaddress__email=email.lower()).first()
        with override(account.language if isinstance(account, User) else get_language()):
            super().send_mail(template_prefix, email, context)

    def _taken(self) -> ValidationError:
        return ValidationError(self.error_messages["username_taken"], code="username_taken")


class HeadlessAdapter(DefaultHeadlessAdapter):  # type: ignore[misc]
    """Shows the username as the id of an account."""

    def serialize_user(self, user: User) -> dict[str, Any]:
        return {**super().serialize_user(user), "id": user.username}


class BearerTokenStrategy(SessionTokenStrategy):  # type: ignore[misc]
    """Sign-in answers with ``meta.access_token``, for the header ``Authorization: Bearer``.

    The token is the key of the session. So sign-out, which ends the session, also ends the token.
    """

    def create_access_token(self, request: HttpRequest) -> Any:
        return self.create_session_token(request)

    def get_session_token(self, request: HttpRequest) -> str | None:
        """The token in ``X-Session-Token``, which is used during sign-in, or the access token."""
        token: str | None = super().get_session_token(request)
        return token or bearer_token(request)

    def lookup_session(self, session_token: str) -> SessionBase | None:
        # Our tokens are letters and digits. The database refuses some other characters.
        if not (session_token.isascii() and session_token.isalnum()):
            return None
        session: SessionBase | None = sessionkit.lookup_session(session_token)
        return session
