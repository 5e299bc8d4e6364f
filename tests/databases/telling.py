"""What somebody else does to a database."""

from __future__ import annotations

import asyncpg

from databases.server import in_a_thread
from schedule_bridge.store.postgres.pools import SCHEMA


def tell(url: str, sql: str) -> None:
    in_a_thread(told(url, sql))


async def told(url: str, sql: str) -> None:
    connection = await asyncpg.connect(url, server_settings={"search_path": SCHEMA})
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
