"""Loading the library, saving a chart."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ladder.services.errors import Conflict, Invalid

if TYPE_CHECKING:
    import altair

SUFFIXES = (".png", ".svg", ".html")
# Pixels a point: sharp on dense screens.
SCALE = 2
FONT = "Liberation Sans, Arial, sans-serif"


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


def save(chart: altair.Chart | altair.LayerChart, path: Path) -> None:
    """Write the chart in the form that the file's name asks for."""
    if path.suffix == ".html":
        chart.save(path, inline=True)
    else:
        chart.save(path, scale_factor=SCALE)
