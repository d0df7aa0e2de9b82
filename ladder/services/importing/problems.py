"""What is wrong with a file, line by line."""

from __future__ import annotations

from common.errors import Invalid

TOLD = 50


class FileRefused(Invalid):
    """The file cannot be imported, and nothing was written. ``detail`` names the lines and the reasons."""

    def __init__(self, detail: str) -> None:
        super().__init__("file_refused", detail, field="file")


class Problems:
    """Problems by line; the first fifty are kept, the others counted."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, str]] = []
        self._count = 0

    def add(self, line: int, reason: str) -> None:
        self._count += 1
        if len(self._kept) < TOLD:
            self._kept.append((line, reason))

    def __bool__(self) -> bool:
        return self._count > 0

    def refuse_if_any(self) -> None:
        """Raise ``FileRefused`` naming them all."""
        if not self._count:
            return
        told = [f"line {line}: {reason}" for line, reason in sorted(self._kept)]
        if more := self._count - len(self._kept):
            told.append(f"and {more} more")
        raise FileRefused("\n".join(told))
