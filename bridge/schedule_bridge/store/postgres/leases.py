"""Who owns which workspace: leases in the database, by its clock and none other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schedule_bridge.core.model import WorkspaceId
from schedule_bridge.store.shared import KEPT_SECONDS, Lease

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedule_bridge.core.model import Duration
    from schedule_bridge.store.postgres.pools import Pool

EVERYTHING: Final = WorkspaceId("")
"""In place of a workspace: the whole store. Whoever has it keeps all others out."""

_TAKE: Final = "SELECT owner, address, epoch, mine FROM take_lease($1, $2, $3, $4)"
# In one order, so that no two who lock several wait for each other.
_RENEW: Final = """
WITH mine AS (
    SELECT l.workspace_id FROM leases AS l
    JOIN unnest($2::text[], $3::bigint[]) AS said (workspace_id, epoch)
        ON l.workspace_id = said.workspace_id AND l.epoch = said.epoch
    WHERE l.owner = $1
    ORDER BY l.workspace_id FOR NO KEY UPDATE OF l
)
UPDATE leases AS l SET expires_at = clock_timestamp() + make_interval(secs => $4)
FROM mine WHERE l.workspace_id = mine.workspace_id AND l.expires_at > clock_timestamp()
RETURNING l.workspace_id
"""
_RELEASE: Final = """
UPDATE leases SET expires_at = CASE WHEN $4::text IS NULL THEN '-infinity'
        ELSE clock_timestamp() + make_interval(secs => $5) END,
    owner = CASE WHEN $4::text IS NULL THEN owner ELSE '' END, address = coalesce($4, address)
WHERE workspace_id = $1 AND owner = $2 AND epoch = $3
"""
_HOLDERS: Final = """
SELECT workspace_id, owner, address, epoch FROM leases
WHERE expires_at > clock_timestamp() ORDER BY workspace_id
"""
# From the leases that are free, which are few where much goes on.
_WANTING: Final = """
SELECT l.workspace_id FROM leases AS l
WHERE l.workspace_id <> '' AND l.expires_at <= clock_timestamp() AND (
    EXISTS (
        SELECT FROM triggers AS t
        WHERE t.workspace_id = l.workspace_id AND t.detached_since IS NULL
            AND t.next_tick <= extract(epoch FROM clock_timestamp()) * 1000000 + $2::bigint
    )
    OR EXISTS (
        SELECT FROM executions AS e
        WHERE e.workspace_id = l.workspace_id AND e.ended_at IS NULL
    )
    OR EXISTS (
        SELECT FROM triggers AS t JOIN held_firings AS h USING (trigger_id)
        WHERE t.workspace_id = l.workspace_id AND h.kind = 'delayed'
    )
)
ORDER BY l.expires_at LIMIT $1
"""


class PostgresLeases:
    """The leases of one database. Each method is one round trip, and may raise StoreError."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def take(
        self, workspace_id: WorkspaceId, owner: str, address: str, seconds: float
    ) -> Lease:
        """Takes the lease for so long if it is free or this owner's, under a new epoch.

        Otherwise says who has it. Waits for the writes of the epoch before, and none of these is
        made afterwards.
        """
        (row,) = await self._pool.fetch(_TAKE, workspace_id, owner, address, float(seconds))
        return Lease(workspace_id, row["owner"], row["address"], row["epoch"], row["mine"])

    async def renew(
        self, owner: str, epochs: Mapping[WorkspaceId, int], seconds: float
    ) -> set[WorkspaceId]:
        """Lets the owner's leases last so long from now; which of them are still the owner's.

        One that has run out is not renewed, even if nobody has taken it.
        """
        names, numbers = list(epochs.keys()), list(epochs.values())
        rows = await self._pool.fetch(_RENEW, owner, names, numbers, float(seconds))
        return {WorkspaceId(row["workspace_id"]) for row in rows}

    async def release(
        self, workspace_id: WorkspaceId, owner: str, epoch: int, kept_for: str | None = None
    ) -> None:
        """Makes it free at once, if it is the owner's under that epoch.

        For a moment it is free for the bridge at the address `kept_for` alone, if that is named.
        """
        await self._pool.fetch(_RELEASE, workspace_id, owner, epoch, kept_for, KEPT_SECONDS)

    async def holders(self) -> list[Lease]:
        """The leases that have not run out, by workspace."""
        rows = await self._pool.fetch(_HOLDERS)
        return [Lease(**row, mine=False) for row in rows]

    async def wanting(self, limit: int, within: Duration) -> list[WorkspaceId]:
        """Workspaces that nobody has and in which something goes on, the longest free first.

        An active execution, a delayed firing, or a tick that is due within so many microseconds.
        """
        rows = await self._pool.fetch(_WANTING, limit, within)
        return [WorkspaceId(row["workspace_id"]) for row in rows]
