"""PostgreSQL, for those who have installed what talks to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.store import StoreError

if TYPE_CHECKING:
    from schedule_bridge.store import SharedDatabase


def postgres(url: str) -> SharedDatabase:
    """The database at a postgresql:// URL.

    Raises:
        StoreError: the optional part of the package is not installed.
    """
    try:
        from schedule_bridge.store.postgres import PostgresDatabase  # noqa: PLC0415 - optional
    except ModuleNotFoundError as error:
        raise StoreError(
            f"PostgreSQL needs {error.name}: pip install 'schedule-bridge[postgres]'."
        ) from None
    return PostgresDatabase(url)
