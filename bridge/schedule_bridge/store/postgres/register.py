"""Which bridges of the store run, by what they say of themselves and the clock of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from schedule_bridge.store.postgres.pools import Pool

# Of the dead ones whoever locks a row takes it out, so that no two bridges wait for each other.
_ENTER: Final = """
WITH gone AS (
    DELETE FROM bridges WHERE owner IN (
        SELECT owner FROM bridges WHERE expires_at < clock_timestamp() AND owner <> $1
        FOR UPDATE SKIP LOCKED
    )
)
INSERT INTO bridges (owner, address, expires_at)
VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
ON CONFLICT (owner) DO UPDATE SET expires_at = excluded.expires_at
"""
_LEAVE: Final = "DELETE FROM bridges WHERE owner = $1"
# A bridge of the version before enters itself nowhere, but what it owns says where it is.
_ADDRESSES: Final = """
SELECT address FROM bridges WHERE expires_at > clock_timestamp()
UNION
SELECT address FROM leases WHERE expires_at > clock_timestamp() AND address <> ''
ORDER BY address
"""


class PostgresRegister:
    """The bridges of one database. Each method is one round trip, and may raise StoreError."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def enter(self, owner: str, address: str, seconds: float) -> None:
        """One life of a bridge is reached there, for so long from now."""
        await self._pool.fetch(_ENTER, owner, address, float(seconds))

    async def leave(self, owner: str) -> None:
        """That life is over."""
        await self._pool.fetch(_LEAVE, owner)

    async def addresses(self) -> list[str]:
        """Where bridges are reached that run."""
        return [row["address"] for row in await self._pool.fetch(_ADDRESSES)]
