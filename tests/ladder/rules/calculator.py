"""A calculator for explanations: each formula is evaluated as a person would who reads it."""

from __future__ import annotations

import math
import re
from decimal import Decimal

# Printed probabilities have six places. Where a printed formula rounds down, that may decide on which side it falls.
_NUDGES = (0.0, -0.001, 0.001)


def evaluate(text: str) -> tuple[float, Decimal]:
    """The value of the formula, and the value the text states behind its last equals sign."""
    formula, _, stated = text.rpartition(" = ")
    python = re.sub(r"√(\d+)", r"sqrt(\1)", formula or stated).replace("×", "*").replace("^", "**")
    assert set(re.findall(r"[a-z]+", python)) <= {"sqrt", "min", "max", "floor"}
    values = [_value(python, nudge) for nudge in _NUDGES]
    return min(values, key=lambda value: abs(value - float(stated))), Decimal(stated)


def _value(python: str, nudge: float) -> float:
    names = {"sqrt": math.sqrt, "min": min, "max": max, "floor": lambda x: math.floor(x + nudge)}
    return float(eval(python, {"__builtins__": {}}, names))
