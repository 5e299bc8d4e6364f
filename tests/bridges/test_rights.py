"""The bridge with no more rights in the database than `docs/operations.md` says it needs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import asyncpg

from databases.server import in_a_thread

from .house import bridges, declare, fire

if TYPE_CHECKING:
    from .house import Bridges

_ROLE = "bridge"
_EVERY_TWO_SECONDS = {"kind": "interval", "every": 2}
_DOCUMENTED = Path(__file__).parents[2] / "docs" / "operations.md"


async def test_the_documented_rights_are_enough(tmp_path: Path) -> None:
    async with bridges(tmp_path, 0) as house:
        in_a_thread(_grant(house.url))
        await house.add(_as_role(house))
        await house.add(_as_role(house))
        one, other = house.all
        await declare(one, "t", "w", schedule=_EVERY_TWO_SECONDS)
        started = await fire(other, "t", key="k")
        path = f"/v1/executions/{started['executionId']}"
        for verb, body in (("started", None), ("finished", {"outcome": "completed"})):
            assert (await one.call("POST", f"{path}/{verb}", body)).status == 200
        assert (await one.call("DELETE", "/v1/triggers/t")).status == 204
        await one.terminate()
        await declare(other, "u", "w")
        assert (await fire(other, "u"))["decision"] == "started"
        assert other.logged("store") == []


async def _grant(url: str) -> None:
    """Makes the role, and says the documentation's own statements."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(f"DROP ROLE IF EXISTS {_ROLE}")
        await connection.execute(f"CREATE ROLE {_ROLE} LOGIN")
        for statement in _documented():
            await connection.execute(statement)
    finally:
        await connection.close()


def _documented() -> list[str]:
    statements = re.findall(r"^ +(GRANT .*;)$", _DOCUMENTED.read_text(), re.MULTILINE)
    assert len(statements) == 2
    return statements


def _as_role(house: Bridges) -> str:
    parts = urlsplit(house.url)
    return house.url.replace(parts.netloc, f"{_ROLE}@")
