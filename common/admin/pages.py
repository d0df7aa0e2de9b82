"""Parts of admin pages: the frame around a page, labels, and errors of services."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import ModelAdmin
from django.forms import Form
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.safestring import SafeString

from common.errors import Invalid


def add_refusal(form: Form, refusal: Invalid) -> None:
    """Show the error of a service at its field, or above the form."""
    form.add_error(refusal.field if refusal.field in form.fields else None, refusal.detail)


def label(text: str | Promise, colour: str) -> SafeString:
    return render_to_string("unfold/helpers/label.html", {"text": text, "type": colour})


def page(model_admin: ModelAdmin[Any], request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
    """A page in the frame of the admin. If it is about one row, ``original`` is that row and gets a link back."""
    request.current_app = model_admin.admin_site.name
    # With ``opts``, the theme shows the model's title instead of the page's.
    where = {"opts": model_admin.opts} if "original" in context else {"model_admin": model_admin}
    around = {**model_admin.admin_site.each_context(request), **where}
    return TemplateResponse(request, template, {**around, **context})
