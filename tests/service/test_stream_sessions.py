"""Who may stay: a client's sessions, replaced connections, peers that are dead or do not read."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import WSMsgType

from schedule_bridge.api.limits import Limits
from service.bridge import RunningBridge, running_bridge
from service.streamer import Streamer

T = {"triggerId": "t"}
HASTY = Limits(ping_every=0.05, takeover_ping_seconds=0.1, hello_seconds=0.1)


async def deaf_stream(bridge: RunningBridge) -> Streamer:
    """A connection whose peer answers no ping, as after its machine has lost its power."""
    socket = await bridge.session.ws_connect(
        f"{bridge.base}/v1/stream",
        params={"clientId": "c", "sessionId": "s1"},
        protocols=["schedule-bridge.v1.json"],
        headers=bridge.authorized,
        autoping=False,
    )
    stream = Streamer(socket, "json")
    await stream.say_hello()
    return stream


async def test_the_live_session_replaces_its_old_connection_at_once(
    bridge: RunningBridge,
) -> None:
    old = await bridge.open_stream()
    await old.here(T)
    new = await bridge.open_stream()
    assert (await old.end()).code == 4002
    await new.here(T)
    await bridge.fire()
    assert (await new.next())["triggerId"] == "t"


async def test_the_same_session_keeps_its_runs(bridge: RunningBridge) -> None:
    old = await bridge.open_stream()
    await old.here(T)
    await bridge.fire()
    run = (await old.next())["executionId"]
    await old.claim(run)
    new = await bridge.open_stream()
    await new.here(T, runs=(run,))
    assert (await bridge.execution(run))["state"] == "running"


async def test_another_session_is_refused_while_the_first_one_answers(
    bridge: RunningBridge,
) -> None:
    first = await bridge.open_stream(session="s1")
    await first.here(T)
    listening = asyncio.create_task(first.next())  # whoever listens answers pings
    end = await bridge.refused_stream(session="s2")
    assert (end.code, "copied" in end.why) == (4003, True)
    await bridge.fire()
    assert (await listening)["triggerId"] == "t"


async def test_another_session_takes_over_from_one_that_is_dead(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, Limits(takeover_ping_seconds=0.1)) as bridge:
        dead = await deaf_stream(bridge)
        await dead.here(T)
        await bridge.fire()
        run = (await dead.next())["executionId"]
        await dead.claim(run)
        living = await bridge.open_stream(session="s2")
        await living.here(T)
        ended = await bridge.execution(run)
        assert (ended["state"], ended["reason"]) == ("interrupted", "restarted")
        await dead.hang_up()


async def test_of_two_new_sessions_at_once_one_stays(tmp_path: Path) -> None:
    """Both have found the old one dead; the slower one then meets a living one."""
    async with running_bridge(tmp_path, Limits(takeover_ping_seconds=0.2)) as bridge:
        dead = await deaf_stream(bridge)
        await dead.here(T)
        newcomers = [await bridge.open_stream(session=name) for name in ("s2", "s3")]
        for stream in newcomers:
            await stream.tell("here", triggers=[T], runs=[])
        outcomes = await asyncio.gather(*(outcome(stream) for stream in newcomers))
        assert sorted(outcomes) == ["here", "refused"]
        await dead.hang_up()


async def outcome(stream: Streamer) -> str:
    while True:
        message = await stream.socket.receive()
        if message.type is WSMsgType.TEXT and '"reply"' in message.data:
            listening = asyncio.create_task(stream.socket.receive())
            await asyncio.wait([listening], timeout=0.6)
            if not listening.done() or listening.result().type is WSMsgType.TEXT:
                return "here"
        if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSED):
            return "refused" if stream.socket.close_code == 4003 else "replaced"


async def test_a_peer_that_misses_two_pings_is_dropped(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, HASTY) as bridge:
        dead = await deaf_stream(bridge)
        await dead.tell("here", triggers=[T], runs=[])
        pings = 0
        while (message := await dead.socket.receive()).type not in (
            WSMsgType.CLOSED,
            WSMsgType.ERROR,
        ):
            pings += message.type is WSMsgType.PING
        assert pings == 2
        await bridge.nobody_is_here()


async def test_a_peer_that_answers_pings_stays(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, HASTY) as bridge:
        stream = await bridge.open_stream()
        await stream.here(T)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await stream.next()
        await stream.here(T)


async def test_a_peer_that_says_no_hello_is_dropped(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, HASTY) as bridge:
        stream = await bridge.open_stream(hello=False)
        assert (await stream.receive())["type"] == "hello"
        assert (await stream.end()).code == 4004


async def test_a_peer_that_does_not_read_is_dropped(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, Limits(frames_queued=20, frame_seconds=0)) as bridge:
        stream = await bridge.open_stream()
        triggers = [{"triggerId": f"t{number}"} for number in range(200)]
        await stream.here(*triggers)
        for number in range(200):  # about 20 MB, more than the socket's buffers hold
            await bridge.fire(f"t{number}", {"payload": "x" * 100_000})
            if not bridge.engine.presence.links():
                break
        assert bridge.engine.presence.links() == []
        assert await bridge.fire("t199") != []


async def test_a_peer_that_reads_too_slowly_for_ever_is_dropped(tmp_path: Path) -> None:
    slow = Limits(frames_queued=5, frame_seconds=60, behind_seconds=0.1)
    async with running_bridge(tmp_path, slow) as bridge:
        stream = await bridge.open_stream()
        await stream.here({**T, "overlapPolicy": "allow", "maxConcurrent": 1000})
        for _ in range(200):
            await bridge.fire(body={"payload": "x" * 100_000})
            if not bridge.engine.presence.links():
                break
        assert bridge.engine.presence.links() == []


async def test_a_peer_that_reads_is_kept_however_much_it_is_told_at_once(tmp_path: Path) -> None:
    async with running_bridge(tmp_path, Limits(frames_queued=20)) as bridge:
        stream = await bridge.open_stream()
        await stream.here({**T, "lockKeys": [f"key {number}" for number in range(200)]})
        await bridge.fire()
        offers = [await stream.next("execution.start") for _ in range(200)]
        assert len({offer["lockKey"] for offer in offers}) == 200


async def test_a_client_that_hangs_up_is_not_here(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    await stream.hang_up()
    await bridge.nobody_is_here()
    await bridge.fire()
    again = await bridge.open_stream()
    await again.here(T)
    assert (await again.next())["triggerId"] == "t"


async def test_a_stop_of_the_bridge_closes_the_streams(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    for link in bridge.engine.presence.links():
        link.close()
    assert (await stream.end()).code == 4006
