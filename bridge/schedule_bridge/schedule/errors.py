"""What is wrong with a schedule, in a sentence for a person."""

from typing import Final

_LONGEST_QUOTE: Final = 40


class ScheduleError(ValueError):
    """A schedule that cannot be used.

    Attributes:
        pointer: JSON pointer to the culprit within the schedule object, "" for the whole.
    """

    def __init__(self, pointer: str, sentence: str) -> None:
        super().__init__(sentence)
        self.pointer = pointer


def quoted(text: str) -> str:
    """The user's text in quotation marks, shortened, fit to be shown and logged."""
    shown = "".join(char if char.isprintable() else "?" for char in text[:_LONGEST_QUOTE])
    return f'"{shown}{"…" if len(text) > _LONGEST_QUOTE else ""}"'
