"""Sign-in to the admin, with the same limits and the same second factor as the API."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.utils import is_mfa_enabled
from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.forms import AuthenticationForm
from unfold.widgets import UnfoldAdminTextInputWidget


class SignInForm(AuthenticationForm):
    code = forms.CharField(
        label=_("One-time code"),
        required=False,
        help_text=_("If your account has a second factor: from your authenticator app, or a recovery code."),
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "one-time-code"}),
    )

    def clean(self) -> dict[str, Any]:
        """Refuses a wrong password, a wrong code, and too many attempts."""
        username, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if username and password:
            account = get_adapter(self.request).authenticate(self.request, username=username, password=password)
            if account is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(account)
            if is_mfa_enabled(account):
                self._check_code(account)
            self.user_cache = account
        return self.cleaned_data

    def _check_code(self, account: Any) -> None:
        second_factor = AuthenticateForm(user=account, data={"code": self.cleaned_data.get("code", "")})
        if not second_factor.is_valid():
            raise forms.ValidationError({"code": second_factor.errors["code"]})
