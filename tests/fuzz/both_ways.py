"""The same bytes to two bridges: one that has the short way, one on which all go aiohttp's."""

from __future__ import annotations

import asyncio
import json
import re
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

from schedule_bridge.api.express import EXPRESS, Express
from schedule_bridge.api.limits import Limits
from service.bridge import RunningBridge, running_bridge

from .exchanges import make_exchange

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

_LIMITS: Final = Limits(keep_alive=1.5, body_seconds=1, unread_body_seconds=0.5)
_AT_ONCE: Final = 8
_PATIENCE_SECONDS: Final = 20
_PAUSES: Final = (0, 0.005, 0.01)
_ANSWER: Final = re.compile(rb"(?=HTTP/1\.\d \d\d\d )")
_DIFFER: Final = (b"Date:", b"Content-Length:")

Seen = tuple[list[bytes], Any]
"""Of an answer: its head, and what of its body is the same whenever it is asked for."""


@dataclass(slots=True, frozen=True)
class Held:
    """What came of some exchanges."""

    answers: list[list[Seen]]
    decided: int
    """How many firings have been decided on since the bridge's start."""


@dataclass(slots=True)
class Compared:
    """How far a search got."""

    exchanges: int = 0
    spared: int = 0
    """Requests that took the short way."""
    different: str | None = None
    """The first exchange that was answered otherwise, and how."""


async def compare_both_ways(folder: Path, seconds: float, seed: int) -> Compared:
    """Holds exchange after exchange on both bridges, until one differs or the time is over."""
    compared, until = Compared(), time.monotonic() + seconds
    async with _bridge(folder / "short") as short, _bridge(folder / "long") as long:
        _leave_only_aiohttps_way(long)
        while time.monotonic() < until and compared.different is None:
            names = [f"{seed}.{compared.exchanges + number}" for number in range(_AT_ONCE)]
            ways = await asyncio.gather(_hold_all(short, names), _hold_all(long, names))
            compared.different = _difference(names, *ways)
            compared.exchanges += _AT_ONCE
        compared.spared = _taken_by_aiohttp(long) - _taken_by_aiohttp(short)
    return compared


@asynccontextmanager
async def _bridge(folder: Path) -> AsyncIterator[RunningBridge]:
    """One whose triggers have a run each, so that all firings are decided on alike."""
    await asyncio.to_thread(folder.mkdir)
    async with running_bridge(folder, _LIMITS) as bridge:
        for trigger_id in "tu":
            await bridge.set(trigger_id)
            await bridge.start_run(trigger_id)
        yield bridge


def _leave_only_aiohttps_way(bridge: RunningBridge) -> None:
    def none(*_: object) -> None:
        return None

    express: Express = bridge.runner.app[EXPRESS]
    express.errand = express.errand_like = none  # type: ignore[method-assign, assignment]


def _taken_by_aiohttp(bridge: RunningBridge) -> int:
    server = bridge.runner.server
    assert server is not None
    return server.requests_count


def _difference(names: list[str], short: Held, long: Held) -> str | None:
    for name, one, other in zip(names, short.answers, long.answers, strict=True):
        if one != other:
            return f"{name}: {one} and not {other}"
    if short.decided != long.decided:
        return f"{names}: {short.decided} and not {long.decided} firings"
    return None


async def _hold_all(bridge: RunningBridge, names: list[str]) -> Held:
    answers = await asyncio.gather(*(_hold(bridge, name) for name in names))
    return Held(answers, await _decided(bridge))


async def _hold(bridge: RunningBridge, name: str) -> list[Seen]:
    random = Random(name)  # noqa: S311 - no secret
    port = int(bridge.base.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answering = asyncio.create_task(_all_of(reader))
    for piece in make_exchange(random, port):
        if not answering.done():
            writer.write(piece)
        await asyncio.sleep(random.choice(_PAUSES))
    answers = _ANSWER.split((await answering).replace(b"%d" % port, b"PORT"))
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()
    return [_seen(each) for each in answers if each]


async def _all_of(reader: asyncio.StreamReader) -> bytes:
    """All that is answered until the connection ends, also where a reset ends it."""
    got = bytearray()
    async with asyncio.timeout(_PATIENCE_SECONDS):
        with suppress(ConnectionError):
            while piece := await reader.read(65536):
                got += piece
    return bytes(got)


def _seen(answer: bytes) -> Seen:
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.startswith(_DIFFER)]
    try:
        value = json.loads(body)
    except ValueError:
        return lines, len(body) > 0
    decisions = [each["decision"] for each in value.get("decisions", ())]
    return lines, (sorted(value), value.get("type"), value.get("detail"), decisions)


async def _decided(bridge: RunningBridge) -> int:
    triggers = (await bridge.call("GET", "/v1/triggers")).value["triggers"]
    return sum(sum(each["counters"].values()) for each in triggers)
