"""Drawing charts with Altair, which is not installed everywhere."""

from __future__ import annotations

from html import escape
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from common.errors import Conflict, Invalid

if TYPE_CHECKING:
    import altair

SUFFIXES = (".png", ".svg", ".html")
# Pixels for each point, so that pictures are sharp on high-resolution screens.
SCALE = 2
FONT = "Liberation Sans, Arial, sans-serif"
# As wide as the screen, up to a readable width.
HEAD = """<head>
  <title>{title}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <style>body {{ max-width: 60rem; margin: 0.5rem auto; }}</style>"""


class CannotDraw(Conflict):
    """Altair is not installed."""


def library() -> ModuleType:
    """The module ``altair``. Raises ``CannotDraw`` if it or its renderer is not installed."""
    try:
        import altair
        import vl_convert  # noqa: F401  needed to save a chart
    except ImportError as error:
        missing = "Charts need the packages altair and vl-convert-python; make setup installs them."
        raise CannotDraw("charts_not_installed", missing) from error
    return altair


def check_output(path: Path) -> None:
    """Raises ``Invalid`` if the file's name has another ending. To be called before the chart is drawn."""
    if path.suffix not in SUFFIXES:
        kinds = ", ".join(SUFFIXES)
        raise Invalid("unknown_picture", f"{path}: the name ends in one of {kinds}.", field="output")


def save(chart: altair.Chart | altair.LayerChart, path: Path, *, title: str) -> None:
    """Save the chart in the format of the file's ending. The title is for HTML."""
    if path.suffix == ".html":
        page = chart.properties(width="container").to_html(inline=True)
        path.write_text(page.replace("<head>", HEAD.format(title=escape(title)), 1), encoding="utf-8")
    else:
        chart.save(path, scale_factor=SCALE)
