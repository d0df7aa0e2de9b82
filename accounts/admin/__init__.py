"""Accounts in the admin: sign-in, rights, suspensions, service keys and the audit trail. One model in each file."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.models import Group

from accounts.admin.sign_in import SignInForm

# Pages of libraries: roles are defined in code (accounts.services.roles), and the other tables contain secrets.
admin.site.unregister([Authenticator, EmailAddress, Group, SocialAccount, SocialApp, SocialToken])
admin.site.index_template = "admin/common/dashboard.html"
admin.site.login_form = SignInForm

from accounts.admin import account, audit_entry, service_key, suspension  # noqa: E402, F401
