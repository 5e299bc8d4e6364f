"""A role that the server of tests asks for its password, as those in use do."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import asyncpg

from databases.server import in_a_thread, the_server

ROLE = "asked"
_RULE = f"local all {ROLE} scram-sha-256\n"
_PATIENCE_SECONDS = 20


def ask_for_password(password: str) -> None:
    """From now on the server lets the role in by this password alone; others as before."""
    rules = the_server().pgdata / "pg_hba.conf"
    if not rules.read_text().startswith(_RULE):
        rules.write_text(_RULE + rules.read_text())
    in_a_thread(_set(password))


def as_role(url: str, password: str = "") -> str:
    """The address of a database for the role."""
    said = f"{ROLE}:{password}@" if password else f"{ROLE}@"
    return url.replace(urlsplit(url).netloc, said)


async def _set(password: str) -> None:
    url = the_server().get_uri()
    connection = await asyncpg.connect(url)
    try:
        if not await connection.fetch("SELECT FROM pg_roles WHERE rolname = $1", ROLE):
            await connection.execute(f"CREATE ROLE {ROLE} LOGIN SUPERUSER")
        await connection.execute(f"ALTER ROLE {ROLE} PASSWORD '{password}'")
        await connection.execute("SELECT pg_reload_conf()")
    finally:
        await connection.close()
    async with asyncio.timeout(_PATIENCE_SECONDS):
        # The server reads its rules when it comes to it, and tells nobody.
        while await _lets_in(as_role(url, "no password of anybody's")):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def _lets_in(url: str) -> bool:
    try:
        connection = await asyncpg.connect(url)
    except asyncpg.InvalidPasswordError:
        return False
    await connection.close()
    return True
