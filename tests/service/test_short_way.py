"""Requests that decide take a shorter way than aiohttp's, and no client can tell which one."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import msgpack  # type: ignore[import-untyped]  # it carries no types
import pytest

from databases.server import new_database
from schedule_bridge.api.express import EXPRESS, Errand
from schedule_bridge.api.limits import Limits
from schedule_bridge.core.model import ExecutionId, TriggerId, WorkspaceId
from schedule_bridge.store import StoreError
from service.bridge import RunningBridge, running_bridge
from service.edge import TOKEN
from service.shared_bridge import SharedBridge, shared_bridge

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

JSON, MSGPACK = "Content-Type: application/json", "Content-Type: application/msgpack"
DIFFERS = re.compile(rb"[0-9a-f]{16}|\d\d:\d\d:\d\d(\.\d+Z)?|[\d.]+ (s|ms)\b|less than a second")


@pytest.fixture(params=["sqlite", "postgresql"])
async def bridge(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[RunningBridge]:
    alone = request.param == "sqlite"
    async with running_bridge(tmp_path) if alone else shared_bridge(tmp_path, new_database()) as it:
        yield it


class Connection:
    """One keep-alive connection, on which requests are written byte by byte."""

    def __init__(self, bridge: RunningBridge) -> None:
        self.port = int(bridge.base.rpartition(":")[2])
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def __aenter__(self) -> Connection:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    def head(self, path: str, body: bytes, *lines: str, method: str = "POST") -> bytes:
        first = (f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}")
        length = f"Content-Length: {len(body)}"
        every = (*first, f"Authorization: Bearer {TOKEN}", length, *lines, "", "")
        return "\r\n".join(every).encode()

    async def answer(self) -> bytes:
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        assert length is not None
        return head + await self.reader.readexactly(int(length[1]))

    async def ask(self, path: str, body: bytes = b"", *lines: str) -> bytes:
        """Sends a request in one piece, which can take the short way."""
        self.writer.write(self.head(path, body, *lines) + body)
        return await self.answer()

    async def ask_in_pieces(self, path: str, body: bytes = b"", *lines: str) -> bytes:
        """Sends the body after the head: aiohttp has to wait for it."""
        self.writer.write(self.head(path, body, *lines))
        await asyncio.sleep(0.02)
        self.writer.write(body)
        return await self.answer()


def taken_by_aiohttp(bridge: RunningBridge) -> int:
    """How many requests have gone aiohttp's own way."""
    server = bridge.runner.server
    assert server is not None
    return server.requests_count


@pytest.mark.parametrize(
    ("path", "body", "lines"),
    [
        ("/v1/triggers/t/fire", b'{"payload":{"a":1}}', (JSON,)),
        (
            "/v1/triggers/t/fire",
            msgpack.packb({"payload": b"x"}),
            (MSGPACK, f"Accept: {MSGPACK[14:]}"),
        ),
        ("/v1/triggers/t/fire", b'{"payload":', (JSON,)),
        ("/v1/triggers/t/fire", b'{"payload":1,"x":2}', (JSON,)),
        ("/v1/triggers/t/fire", b'{"priority":0}', (JSON, "Accept: application/msgpack")),
        ("/v1/triggers/t/fire", b"{}", ("Content-Type: text/plain",)),
        ("/v1/triggers/t/fire", b"{}", ()),
        ("/v1/triggers/t/fire", b"{}", (JSON, "Accept: text/html;q=1, */*;q=0")),
        ("/v1/triggers/t/fire", b"{}", (JSON, "Idempotency-Key: k")),
        ("/v1/triggers/t/fire", b"{}", (JSON, "Idempotency-Key: ")),
        ("/v1/triggers/t/fire", b"{}", (JSON, "Origin: https://evil.test")),
        ("/v1/triggers/unknown/fire", b"{}", (JSON,)),
        ("/v1/triggers/t/fire?x=1", b"{}", (JSON,)),
        ("/v1/triggers/%74/fire", b"{}", (JSON,)),
        ("/v1/triggers/t/burn", b"{}", (JSON,)),
        ("/v1/executions/unknown/finished", b'{"outcome":"completed"}', (JSON,)),
        ("/v1/executions/unknown/started", b"{}", (JSON,)),
        ("/v1/executions/unknown/finished", b'{"outcome":"lost"}', (JSON,)),
    ],
)
async def test_an_answer_is_the_same_on_both_ways(
    bridge: RunningBridge, path: str, body: bytes, lines: tuple[str, ...]
) -> None:
    await bridge.set()
    await bridge.start_run()
    async with Connection(bridge) as connection:
        short = await connection.ask(path, body, *lines)
        again = await connection.ask(path, body, *lines)
        long = await connection.ask_in_pieces(path, body, *lines)
    assert DIFFERS.sub(b"_", short) == DIFFERS.sub(b"_", long) == DIFFERS.sub(b"_", again)


async def test_what_decides_takes_the_short_way(bridge: RunningBridge) -> None:
    await bridge.set()
    before = taken_by_aiohttp(bridge)
    async with Connection(bridge) as connection:
        fired = await connection.ask("/v1/triggers/t/fire")
        run = re.search(rb'"executionId":"(\w+)"', fired)
        assert run is not None
        of_run = f"/v1/executions/{run[1].decode()}"
        assert b'"confirmed":true' in await connection.ask(f"{of_run}/started")
        end = await connection.ask(f"{of_run}/finished", b'{"outcome":"completed"}', JSON)
        assert b'"ignored":false' in end
    assert taken_by_aiohttp(bridge) == before


@pytest.mark.parametrize(
    "lines",
    [
        ("Expect: something",),
        ("Connection: close",),
        ("Transfer-Encoding: chunked",),
        ("Content-Encoding: gzip",),
        ("Upgrade: websocket", "Connection: Upgrade"),
    ],
)
async def test_what_is_unusual_goes_aiohttps_own_way(
    bridge: RunningBridge, lines: tuple[str, ...]
) -> None:
    await bridge.set()
    before = taken_by_aiohttp(bridge)
    async with Connection(bridge) as connection:
        head = connection.head("/v1/triggers/t/fire", b"", JSON, *lines)
        connection.writer.write(head.replace(b"Content-Length: 0\r\n", b"") + b"0\r\n\r\n")
        await connection.reader.readuntil(b"\r\n\r\n")
    assert taken_by_aiohttp(bridge) > before


async def test_another_token_is_refused_after_the_right_one(bridge: RunningBridge) -> None:
    await bridge.set()
    async with Connection(bridge) as connection:
        assert b" 200 " in await connection.ask("/v1/triggers/t/fire", b"{}", JSON)
        head = connection.head("/v1/triggers/t/fire", b"{}", JSON)
        connection.writer.write(head.replace(TOKEN.encode(), TOKEN.upper().encode()) + b"{}")
        assert b" 401 " in await connection.answer()


@pytest.mark.parametrize("version", [b"HTTP/1.0", b"HTTP/2.0"])
async def test_another_version_is_answered_by_its_own_rules_after_the_usual_one(
    bridge: RunningBridge, version: bytes
) -> None:
    await bridge.set()
    async with Connection(bridge) as connection:
        await connection.ask("/v1/triggers/t/fire", b"{}", JSON)
        before = taken_by_aiohttp(bridge)
        head = connection.head("/v1/triggers/t/fire", b"{}", JSON)
        connection.writer.write(head.replace(b"HTTP/1.1", version, 1) + b"{}")
        assert b" 200 " in await connection.answer()
        assert taken_by_aiohttp(bridge) == before + 1
        async with asyncio.timeout(5):  # less than a connection may be idle
            assert version != b"HTTP/1.0" or await connection.reader.read() == b""


async def test_a_second_first_line_is_refused_though_an_empty_one_may_come_first(
    bridge: RunningBridge,
) -> None:
    await bridge.set()
    async with Connection(bridge) as connection:
        fire = connection.head("/v1/triggers/t/fire", b"{}", JSON) + b"{}"
        connection.writer.write(b"\r\n" + fire)
        assert b" 200 " in await connection.answer()
        connection.writer.write(b"POST /v1/triggers/u/fire HTTP/1.1\r\n" + fire)
        assert b" 400 " in await connection.answer()


async def test_a_head_is_parsed_once_while_it_stays_the_same(bridge: RunningBridge) -> None:
    await bridge.set("t")
    await bridge.set("u")
    app = bridge.runner.app
    assert app is not None
    express, parsed = app[EXPRESS], 0
    errand = express.errand

    def count(*given: object) -> Errand | None:
        nonlocal parsed
        parsed += 1
        return errand(*given)  # type: ignore[arg-type]  # what was given

    express.errand = count  # type: ignore[method-assign, assignment]
    async with Connection(bridge) as connection:
        for name in "tutu":
            await connection.ask(f"/v1/triggers/{name}/fire", b"{}", JSON)
        assert parsed == 1
        await connection.ask("/v1/triggers/t/fire", b'{"payload":1}', JSON)
        assert parsed == 2
        for number in range(2):
            await connection.ask("/v1/triggers/t/fire", b"{}", JSON, f"Idempotency-Key: {number}")
        assert parsed == 4


async def test_a_request_may_come_in_any_pieces(bridge: RunningBridge) -> None:
    await bridge.set()
    async with Connection(bridge) as connection:
        fire = connection.head("/v1/triggers/t/fire", b'{"payload":1}', JSON) + b'{"payload":1}'
        stream = 6 * fire
        ends = (len(fire), 2 * len(fire), 3 * len(fire) + 40, 4 * len(fire), len(stream))
        for begin, end in zip((0, *ends), ends, strict=False):
            connection.writer.write(stream[begin:end])
            await asyncio.sleep(0.02)
        answers = [await connection.answer() for _ in range(6)]
    assert [b" 200 " in answer for answer in answers] == [True] * 6
    assert len((await bridge.call("GET", "/v1/decisions")).value["decisions"]) == 6


async def test_requests_that_overtake_their_answers_are_answered_in_order(
    bridge: RunningBridge,
) -> None:
    await bridge.set()
    async with Connection(bridge) as connection:
        fire = connection.head("/v1/triggers/t/fire", b"{}", JSON) + b"{}"
        look = connection.head("/v1/triggers/t", b"", method="GET")
        for request in (fire, look, fire + look, fire):
            connection.writer.write(request)
            await asyncio.sleep(0)
        answers = [await connection.answer() for _ in range(5)]
    assert [b'"decisions":' in answer for answer in answers] == [True, False, True, False, True]
    assert [b'"configuration":' in answer for answer in answers] == [
        *(False, True, False, True, False)
    ]


async def test_a_caller_that_is_owed_an_answer_is_not_cut_off_as_idle(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, Limits(keep_alive=0.2)) as bridge:
        await bridge.set()
        append, written = bridge.engine.store.append, asyncio.Event()

        async def append_late(batch: object) -> None:
            await written.wait()
            await append(batch)  # type: ignore[arg-type]  # it is one

        bridge.engine.store.append = append_late  # type: ignore[method-assign]
        async with Connection(bridge) as connection:
            connection.writer.write(connection.head("/v1/triggers/t/fire", b""))
            await asyncio.sleep(1)
            written.set()
            assert b" 200 " in await connection.answer()
            assert await connection.reader.read() == b""  # idle now, so it is closed


async def test_a_caller_that_is_owed_an_answer_gets_it_though_the_bridge_stops(
    tmp_path: Path,
) -> None:
    async with running_bridge(tmp_path) as bridge:
        await bridge.set()
        async with Connection(bridge) as connection:
            connection.writer.write(connection.head("/v1/triggers/t/fire", b""))
            await connection.writer.drain()
            await asyncio.sleep(0)
            stopping = asyncio.create_task(bridge.runner.cleanup())
            assert b" 200 " in await connection.answer()
            assert await connection.reader.read() == b""
            await stopping


async def test_what_could_not_be_written_is_not_answered_as_decided(tmp_path: Path) -> None:
    async with running_bridge(tmp_path) as bridge:
        await bridge.set()

        async def fail(_: object) -> None:
            raise StoreError("The disk is full.")

        bridge.engine.store.append = fail  # type: ignore[method-assign, assignment]
        async with Connection(bridge) as connection:
            answer = await connection.ask("/v1/triggers/t/fire", b"{}", JSON)
        assert b" 503 " in answer
        assert b"The disk is full." in answer


async def test_nothing_is_decided_on_what_was_lost(tmp_path: Path) -> None:
    async with running_bridge(tmp_path) as bridge:
        await bridge.set()
        append, both_are_here = bridge.engine.store.append, asyncio.Event()

        async def fail_once(_: object) -> None:
            bridge.engine.store.append = append  # type: ignore[method-assign]
            await both_are_here.wait()
            raise StoreError("The disk is full.")

        bridge.engine.store.append = fail_once  # type: ignore[method-assign, assignment]
        async with Connection(bridge) as connection:
            for _ in range(2):
                connection.writer.write(connection.head("/v1/triggers/t/fire", b""))
                await asyncio.sleep(0.05)
            both_are_here.set()
            answers = [await connection.answer() for _ in range(2)]
        assert [b" 503 " in answer for answer in answers] == [True, True]


async def test_a_caller_that_hangs_up_has_still_fired(
    bridge: RunningBridge, caplog: pytest.LogCaptureFixture
) -> None:
    await bridge.set()
    async with Connection(bridge) as connection:
        connection.writer.write(connection.head("/v1/triggers/t/fire", b""))
        await connection.writer.drain()
    await asyncio.sleep(0.1)
    decisions = (await bridge.call("GET", "/v1/decisions")).value["decisions"]
    assert [each["decision"] for each in decisions] == ["started"]
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == []


async def test_what_another_bridge_decides_is_led_there(tmp_path: Path) -> None:
    url = new_database()
    async with shared_bridge(tmp_path, url) as owner, shared_bridge(tmp_path, url) as other:
        await owner.set()
        before = taken_by_aiohttp(other)
        async with Connection(other) as connection:
            fired = await connection.ask("/v1/triggers/t/fire", b'{"payload":1}', JSON)
        assert b'"decision":"started"' in fired
        assert taken_by_aiohttp(other) == before + 1


@pytest.mark.parametrize("is_known", [False, True])
async def test_what_is_handed_over_while_it_is_asked_for_is_led_there(
    tmp_path: Path, *, is_known: bool
) -> None:
    url = new_database()
    async with shared_bridge(tmp_path, url) as owner, shared_bridge(tmp_path, url) as other:
        await owner.set()
        async with Connection(owner) as connection:
            if is_known:
                await connection.ask("/v1/triggers/t/resume")
            moving = _handed_over_at_the_next_look(owner, other)
            assert b'"paused":true' in await connection.ask("/v1/triggers/t/pause")
            assert b'"paused":true' in await connection.ask("/v1/triggers/t/pause")
        assert moving.is_set()
        assert (await other.call("GET", "/v1/triggers/t")).value["paused"] is True


def _handed_over_at_the_next_look(owner: SharedBridge, other: SharedBridge) -> asyncio.Event:
    """Between the choice of the short way and the decision; set when that has come about."""
    of_trigger, moved = owner.estate.of_trigger, asyncio.Event()

    async def move_first(*asked: object) -> object:
        if not moved.is_set():
            moved.set()
            await owner.estate.hand_over(WorkspaceId("default"), other.base)
        return await of_trigger(*asked)  # type: ignore[arg-type]  # what was given

    owner.estate.of_trigger = move_first  # type: ignore[method-assign, assignment]
    return moved


async def test_a_bridge_keeps_no_list_of_what_it_gave_up(tmp_path: Path) -> None:
    url = new_database()
    async with shared_bridge(tmp_path, url) as owner, shared_bridge(tmp_path, url) as other:
        await owner.set()
        run = await owner.start_run()
        assert owner.estate.with_trigger(TriggerId("t")) is not None
        assert owner.estate.with_execution(ExecutionId(run)) is not None
        await owner.estate.hand_over(WorkspaceId("default"), other.base)
        assert owner.estate.with_trigger(TriggerId("t")) is None
        assert owner.estate.with_execution(ExecutionId(run)) is None
        assert other.estate.with_trigger(TriggerId("t")) is not None
        assert other.estate.with_execution(ExecutionId(run)) is not None
