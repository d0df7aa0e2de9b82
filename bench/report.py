"""Printing the figures."""

from __future__ import annotations


def title(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


def figure(name: str, value: float, unit: str, *, limit: float | None = None, note: str = "") -> None:
    """Print one line. ``limit`` has the same unit as the figure."""
    ratio = f"{value / limit:7.0%} of the limit" if limit else ""
    print(f"{name:<58} {value:>10,.1f} {unit:<4} {ratio} {note}".rstrip(), flush=True)
