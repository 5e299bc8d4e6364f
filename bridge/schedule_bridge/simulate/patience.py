"""How long a scenario may take to be played: a short one can ask for much."""

from __future__ import annotations

from time import monotonic


class TakesTooLong(ValueError):  # noqa: N818 - reads as what is wrong
    """The scenario is not played to its end within the time that the caller gives it."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"This scenario takes more than {seconds:g} s to play. Make it smaller.")


class Patience:
    """Runs out after so many seconds; without a number never."""

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = seconds
        self._began = monotonic()

    def check(self) -> None:
        """Raises TakesTooLong once it has run out."""
        if self._seconds is not None and monotonic() - self._began > self._seconds:
            raise TakesTooLong(self._seconds)
