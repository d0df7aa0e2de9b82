"""Loading the library, saving a chart."""

from __future__ import annotations

from html import escape
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from common.errors import Conflict, Invalid

if TYPE_CHECKING:
    import altair

SUFFIXES = (".png", ".svg", ".html")
# Pixels a point: sharp on dense screens.
SCALE = 2
FONT = "Liberation Sans, Arial, sans-serif"
# As wide as a phone or a window has room for, up to what can still be taken in at a glance.
HEAD = """<head>
  <title>{title}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <style>body {{ max-width: 60rem; margin: 0.5rem auto; }}</style>"""


class CannotDraw(Conflict):
    """The library that draws is not installed."""


def library() -> ModuleType:
    """Altair. Raises ``CannotDraw`` where it or its renderer is missing."""
    try:
        import altair
        import vl_convert  # noqa: F401  what saves a chart
    except ImportError as error:
        missing = "Pictures need the packages altair and vl-convert-python; make setup installs them."
        raise CannotDraw("charts_not_installed", missing) from error
    return altair


def check_output(path: Path) -> None:
    """Raises ``Invalid`` for a file that could not be written anyway, before anything is drawn for it."""
    if path.suffix not in SUFFIXES:
        kinds = ", ".join(SUFFIXES)
        raise Invalid("unknown_picture", f"{path}: the name ends in one of {kinds}.", field="output")


def save(chart: altair.Chart | altair.LayerChart, path: Path, *, title: str) -> None:
    """Write the chart in the form that the file's name asks for; a page has a title."""
    if path.suffix == ".html":
        page = chart.properties(width="container").to_html(inline=True)
        path.write_text(page.replace("<head>", HEAD.format(title=escape(title)), 1), encoding="utf-8")
    else:
        chart.save(path, scale_factor=SCALE)
