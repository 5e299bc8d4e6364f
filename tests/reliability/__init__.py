"""The figures of long runs, kept in docs/reliability.json and shown in docs/reliability.md."""

from .record import record

__all__ = ["record"]
