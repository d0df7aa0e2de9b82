"""How allauth's headless API (sign up, sign in, sign out) meets our accounts."""

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
    """Names pass the same rule here as everywhere; a taken name is found without regard to case."""

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
            # Someone else took the name after it was looked up.
            raise ImmediateHttpResponse(ErrorResponse(request, exception=self._taken())) from error

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """In the account's language, whoever asked for the e-mail in whichever."""
        account = context.get("user") or User.objects.filter(emailaddress__email=email.lower()).first()
        with override(account.language if isinstance(account, User) else get_language()):
            super().send_mail(template_prefix, email, context)

    def _taken(self) -> ValidationError:
        return ValidationError(self.error_messages["username_taken"], code="username_taken")


class HeadlessAdapter(DefaultHeadlessAdapter):  # type: ignore[misc]
    """Accounts are known by their username; their number stays inside."""

    def serialize_user(self, user: User) -> dict[str, Any]:
        return {**super().serialize_user(user), "id": user.username}


class BearerTokenStrategy(SessionTokenStrategy):  # type: ignore[misc]
    """Signing in answers with ``meta.access_token``, to be carried as ``Authorization: Bearer``.

    It is the key of the session, so signing out, which ends the session, revokes it at once.
    """

    def create_access_token(self, request: HttpRequest) -> Any:
        return self.create_session_token(request)

    def get_session_token(self, request: HttpRequest) -> str | None:
        """Whoever has signed in carries one token everywhere; on the way there it is ``X-Session-Token``."""
        token: str | None = super().get_session_token(request)
        return token or bearer_token(request)

    def lookup_session(self, session_token: str) -> SessionBase | None:
        # What no session was ever called is not looked up: the database refuses some characters.
        if not (session_token.isascii() and session_token.isalnum()):
            return None
        session: SessionBase | None = sessionkit.lookup_session(session_token)
        return session
