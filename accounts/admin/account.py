"""Accounts. Operators create them and change their rights; moderators rename players and suspend them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import BooleanRadioFilter
from unfold.decorators import display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from accounts.admin.search import accounts_starting_with
from accounts.admin.staff import staff
from accounts.models import User
from accounts.models.user import TAKEN
from accounts.points import ACCOUNT_LINKS
from accounts.queries.suspensions import in_force
from accounts.services import administration, suspensions
from accounts.usernames import normal_form
from common.admin.base import BaseAdmin


class NewAccountForm(UserCreationForm):
    """Checks the username as everywhere, and shows errors at its field."""

    class Meta:
        model = User
        fields = ("username", "email", "language")

    def clean_username(self) -> str:
        return clean_username(self)


class AccountForm(UserChangeForm):
    class Meta:
        model = User
        fields = "__all__"

    def clean_username(self) -> str:
        return clean_username(self)


def clean_username(form: forms.ModelForm[User]) -> str:
    name = normal_form(form.cleaned_data["username"])
    if name.lower() != form.instance.username.lower() and User.objects.is_taken(name):
        raise ValidationError(TAKEN, code="username_taken")
    return name


@admin.register(User)
class AccountAdmin(BaseAdmin, UserAdmin):  # type: ignore[misc, type-arg]
    form = AccountForm
    add_form = NewAccountForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "email", "role", "is_active", "date_joined")
    list_filter = (("is_active", BooleanRadioFilter), ("is_staff", BooleanRadioFilter))
    search_fields = ("username",)
    search_help_text = _("Start of a username, or a whole e-mail address")
    filter_horizontal = ()
    add_fieldsets = ((None, {"fields": ("username", "email", "language", "password1", "password2")}),)
    rights = ("is_staff", "is_superuser", "groups")
    readonly_fields = ("last_login", "date_joined", "plays")
    change_form_template = "admin/accounts/account.html"

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        if obj is None:
            return self.add_fieldsets
        name: tuple[Any, ...] = (("username", "is_active"), ("email", "language"))
        birth_year: tuple[str, ...] = ()
        if staff(request).is_superuser:
            name = (*name, "password")
            birth_year = ("birth_year",)
        return (
            (None, {"fields": name}),
            (_("Play"), {"fields": ("plays", ("date_joined", "last_login"), *birth_year)}),
            (_("Rights"), {"fields": (("is_staff", "is_superuser"), "groups")}),
        )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        everything = {"username", "email", "language", "is_active", "birth_year", *self.rights}
        return (*self.readonly_fields, *sorted(everything - administration.fields_of_account(staff(request))))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        account = self.get_object(request, object_id)
        context = {} if account is None else {
            "suspension": in_force().filter(account=account).first(),
            "may_suspend": suspensions.may_suspend(account, staff(request)),
        }  # fmt: skip
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["widget"] = UnfoldAdminCheckboxSelectMultipleWidget()
        field: Any = super().formfield_for_manytomany(db_field, request, **kwargs)
        field.label_from_instance = lambda group: gettext(group.name)
        return field

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if "@" in term:
            return queryset.filter(email__lower=term.lower()), False
        return (queryset.filter(Q(pk__in=accounts_starting_with(term, request))) if term else queryset), False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if isinstance(obj, User):
            return administration.may_change_account(obj, staff(request))
        return super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if change:
            administration.change_account(
                obj, actor=staff(request), changed=form.changed_data, groups=form.cleaned_data.get("groups")
            )
        else:
            made = administration.create_account(
                actor=staff(request), username=obj.username, email=obj.email, language=obj.language,
                password=form.cleaned_data["password1"],
            )  # fmt: skip
            obj.pk = made.pk

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Nothing to do: the service has saved the groups."""

    @transaction.atomic
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        if not staff(request).is_superuser:
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        # Django's password page saves the account itself and then calls this.
        if isinstance(obj, User) and request.path.endswith("/password/"):
            administration.record_password_change(obj, actor=staff(request))

    @display(description=_("role"))
    def role(self, account: User) -> str:
        if account.is_superuser:
            return str(_("superuser"))
        groups = ", ".join(gettext(group.name) for group in account.groups.all())
        return groups or str(_("staff") if account.is_staff else _("player"))

    @display(description=_("standings, matches and more"))
    def plays(self, account: User) -> SafeString:
        links = [
            format_html(
                '<a class="lad-link" href="{}?q={}">{}</a>',
                reverse(f"admin:{link.view}"),
                account.username,
                link.title,
            )
            for link in ACCOUNT_LINKS
        ]
        return format_html_join(" · ", "{}", ((link,) for link in links))
