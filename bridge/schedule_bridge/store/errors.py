"""What can go wrong with a store, in words for the person who runs the bridge."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class StoreError(Exception):
    """The store could not read or write. Nothing of the failed batch is kept."""


class StaleEpochError(StoreError):
    """Somebody else owns what was to be written, or nobody does any more. Nothing was written."""


class DamagedStoreError(StoreError):
    """What the store holds cannot be read. Waiting does not help."""


class NewerStoreError(StoreError):
    """The store was written by a later version of the bridge."""

    def __init__(self, store: Path | str, found: int, known: int) -> None:
        super().__init__(
            f"The store {store} has schema version {found}, this bridge knows up to {known}. "
            "Install the version of the bridge that wrote it, or a later one."
        )
