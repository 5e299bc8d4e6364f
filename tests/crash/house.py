"""What an episode needs of the bridges of a store, be it one or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from crash.history import History
    from crash.record import Record
    from crash.stage import Stage


class House(Protocol):
    """The bridges of one store, and what befalls them."""

    history: History
    patience: float
    """Seconds after which a client that does not insist gives up an answer."""
    may_be_away: bool
    """Whether 503 is an answer that leaves open what was decided, and is none at all otherwise."""

    @property
    def token(self) -> str:
        """What the clients of all bridges say."""
        ...

    async def way_in(self) -> str:
        """The address of a bridge that listens, as soon as one does."""
        ...

    async def suffer(self, stage: Stage) -> None:
        """Lets its bridges live through all that is to befall them; at the end all of them live."""
        ...

    async def stop(self) -> None:
        """Stops its bridges in order, with their clients connected."""
        ...

    async def end(self) -> None:
        """Leaves no process behind."""
        ...

    async def read_into(self, record: Record) -> None:
        """All that is kept, after its bridges have let go of it."""
        ...
