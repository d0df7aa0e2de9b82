"""The logistic curve by which a difference of ratings becomes a chance to win."""

from __future__ import annotations

# Beyond 10 ** 300 a float overflows, and the underdog's chance is nil long before.
_LARGEST_EXPONENT = 300.0


def logistic(exponent: float) -> float:
    """``1 / (1 + 10 ** exponent)``, from 0 to 1, for an exponent of any size."""
    if abs(exponent) > _LARGEST_EXPONENT:
        return 0.0 if exponent > 0 else 1.0
    return 1 / (1 + 10**exponent)
