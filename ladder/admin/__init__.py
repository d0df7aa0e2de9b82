"""The moderators' and operators' door. It translates between pages and services, and decides nothing.

One noun a file; ``ruling`` is the moderators' main work, ``dashboard`` what they see first.
"""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.models import Group

from ladder.admin.sign_in import SignInForm

# Pages that come with libraries: roles are written in code (ladder.services.roles), and the others hold secrets.
admin.site.unregister([Authenticator, EmailAddress, Group, SocialAccount, SocialApp, SocialToken])
admin.site.index_template = "admin/ladder/dashboard.html"
admin.site.login_form = SignInForm

from ladder.admin import (  # noqa: E402, F401
    account,
    audit_entry,
    decay_pause,
    decay_run,
    ladder,
    match,
    rating_entry,
    report,
    service_key,
    standing,
    suspension,
)
