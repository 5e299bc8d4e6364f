"""What can go wrong with a store, in words for the person who runs the bridge."""


class StoreError(Exception):
    """The store could not read or write. Nothing of the failed batch is kept."""


class NewerStoreError(StoreError):
    """The store was written by a later version of the bridge."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"The store has schema version {found}, this bridge knows up to {known}. "
            "Install the version of the bridge that wrote it, or a later one."
        )
