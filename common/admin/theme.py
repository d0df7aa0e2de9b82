"""Texts of the theme (unfold), which has no translations. Listed here, they are translated by our own catalogue."""

from __future__ import annotations

from django.utils.translation import gettext_noop

TEXTS = (
    gettext_noop("Apply Filters"),
    gettext_noop("Previous"),
    gettext_noop("Next"),
    gettext_noop("Go back"),
    gettext_noop("Type to search"),
    gettext_noop("Light"),
    gettext_noop("Dark"),
    gettext_noop("System"),
    gettext_noop("True"),
    gettext_noop("False"),
    gettext_noop("More actions"),
    gettext_noop("Toggle password visibility"),
    gettext_noop("Return to site"),
)
