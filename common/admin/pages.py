"""What the pages are made of: the frame around a page, a label, and how a service's refusal is shown."""

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
    """Show what a service refused at the field it names, or above the form."""
    form.add_error(refusal.field if refusal.field in form.fields else None, refusal.detail)


def label(text: str | Promise, colour: str) -> SafeString:
    return render_to_string("unfold/helpers/label.html", {"text": text, "type": colour})


def page(model_admin: ModelAdmin[Any], request: HttpRequest, template: str, **context: Any) -> TemplateResponse:
    """A page of its own, inside the admin's frame. Its way back leads by ``original``, where it is about one row."""
    request.current_app = model_admin.admin_site.name
    # The theme heads a page with its own title only where it is not told of the model's options.
    where = {"opts": model_admin.opts} if "original" in context else {"model_admin": model_admin}
    around = {**model_admin.admin_site.each_context(request), **where}
    return TemplateResponse(request, template, {**around, **context})
