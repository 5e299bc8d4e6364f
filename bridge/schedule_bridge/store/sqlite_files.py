"""The files of the embedded store, and whether they are still those that were opened.

A process goes on writing a file that was deleted or replaced under its name, and nothing of that
is there at the next start. So the names are looked at before every commit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from schedule_bridge.store.errors import StoreError
from schedule_bridge.store.private import make_private_file

if TYPE_CHECKING:
    from pathlib import Path

_Identity: TypeAlias = tuple[int, int] | None


class StoreFiles:
    """The database, its write-ahead log and shared memory, and the lock beside them."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.lock = beside(database, ".lock")
        self.helpers = (beside(database, "-wal"), beside(database, "-shm"))
        self._opened: _Identity = None
        self._opened_helpers: tuple[_Identity, ...] = (None, None)

    def make(self) -> None:
        """Makes the database and the lock, private, unless they are there."""
        make_private_file(self.database)
        make_private_file(self.lock)

    def remember(self) -> None:
        """The files as they are now are those that were opened."""
        self._opened = _identity(self.database)
        self._opened_helpers = self._helpers_now()

    @property
    def helpers_are_lost(self) -> bool:
        """Whether the log or the shared memory was deleted or replaced since."""
        return self._opened_helpers != self._helpers_now()

    def check(self) -> None:
        """Raises StoreError unless what is committed now will be there at the next start."""
        self.check_database()
        if self.helpers_are_lost:
            names = " or ".join(path.name for path in self.helpers)
            raise StoreError(
                f"{names} was deleted or replaced in {self.database.parent} while the bridge was "
                "running. They belong to the store; the bridge makes them anew and goes on."
            )

    def check_database(self) -> None:
        """Raises StoreError if the database was deleted or replaced since it was opened."""
        now = _identity(self.database)
        if now is None:
            raise StoreError(
                f"The store {self.database} was moved away or deleted while the bridge was "
                "running. Put it back, and the bridge goes on by itself."
            )
        if now != self._opened:
            raise StoreError(
                f"The store {self.database} was replaced while the bridge was running. Restart "
                "the bridge, and it begins with the file that is there now."
            )

    def _helpers_now(self) -> tuple[_Identity, ...]:
        return tuple(map(_identity, self.helpers))


def beside(database: Path, ending: str) -> Path:
    """The file of that ending that belongs to a database."""
    return database.with_name(database.name + ending)


def _identity(path: Path) -> _Identity:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino)
