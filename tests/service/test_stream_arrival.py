"""The stream's beginning: hello, here, away; which triggers are set, detached, reported."""

import asyncio
from typing import Any

import pytest
from aiohttp import WSMsgType, WSServerHandshakeError

from service.bridge import RunningBridge
from service.streamer import Streamer

ALLOW: dict[str, Any] = {"overlapPolicy": "allow", "maxConcurrent": 99}


@pytest.mark.parametrize("form", ["json", "msgpack"])
async def test_the_bridge_says_hello_in_the_form_that_was_agreed(
    bridge: RunningBridge, form: str
) -> None:
    stream = await bridge.open_stream(form=form)
    assert stream.socket.protocol == f"schedule-bridge.v1.{form}"
    assert stream.seen == [{"type": "hello", "protocol": 1, "version": "1.2.3"}]


async def test_another_protocol_is_refused(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream(hello=False)
    await stream.say_hello(protocol=2)
    end = await stream.end()
    assert (end.code, end.why) == (4001, "This bridge speaks protocol 1.")


async def test_even_who_speaks_at_once_hears_the_bridges_hello_before_it_is_sent_away(
    bridge: RunningBridge,
) -> None:
    """The other side's first frame may be there as soon as the request is."""
    host, _, port = bridge.base.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(upgrade(bridge) + masked(b'{"type":"hello","protocol":2,"version":"0"}'))
    said = await reader.read()
    writer.close()
    assert said.index(b'"protocol":1') < said.index(b"This bridge speaks protocol 1.")


def upgrade(bridge: RunningBridge) -> bytes:
    lines = [
        "GET /v1/stream?clientId=c&sessionId=s1 HTTP/1.1",
        f"Host: {bridge.base.removeprefix('http://')}",
        f"Authorization: {bridge.authorized['Authorization']}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def masked(text: bytes) -> bytes:
    """A client's text frame; its mask of zeros leaves the text as it is."""
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


async def test_the_first_frame_is_hello(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream(hello=False)
    await stream.tell("here", triggers=[], runs=[])
    assert (await stream.end()).code == 4004


@pytest.mark.parametrize("form", ["json", "msgpack"])
async def test_here_sets_the_clients_triggers_and_detaches_the_others(
    bridge: RunningBridge, form: str
) -> None:
    stream = await bridge.open_stream(form=form)
    reply = await stream.here({"triggerId": "t"}, {"triggerId": "u"})
    assert (reply["detached"], reply["invalid"]) == ([], [])
    reply = await stream.here({"triggerId": "u"})
    assert reply["detached"] == ["t"]
    state = (await bridge.call("GET", "/v1/triggers/t")).value
    assert (state["detached"], state["detachedSince"] is not None) == (True, True)
    assert state["configuration"]["clientId"] == "c"


async def test_the_triggers_of_others_are_left_alone(bridge: RunningBridge) -> None:
    await bridge.set("free")
    await (await bridge.open_stream("other")).here({"triggerId": "theirs"})
    assert (await (await bridge.open_stream()).here())["detached"] == []


async def test_an_invalid_trigger_is_reported_and_detached_and_the_others_are_set(
    bridge: RunningBridge,
) -> None:
    stream = await bridge.open_stream()
    await stream.here({"triggerId": "t"})
    reply = await stream.here(
        {"triggerId": "sound"},
        {"triggerId": "t", "priority": 0},
        {"triggerId": "u", "schedule": {"kind": "cron", "expression": "0 0 30 2 *"}},
        {"name": "nobody"},
        {"triggerId": "v", "workspaceId": "another"},
    )
    assert reply["detached"] == ["t"]
    assert [(each["triggerId"], each["errors"][0]["pointer"]) for each in reply["invalid"]] == [
        ("t", "/priority"),
        ("u", "/schedule/expression"),
        (None, ""),
        ("v", "/workspaceId"),
    ]
    assert (await bridge.call("GET", "/v1/triggers/sound")).status == 200
    assert (await bridge.call("GET", "/v1/triggers/u")).status == 404


@pytest.mark.parametrize("form", ["json", "msgpack"])
async def test_a_trigger_with_a_value_that_is_not_let_in_stops_no_other(
    bridge: RunningBridge, form: str
) -> None:
    deep: Any = 1
    for _ in range(40):
        deep = [deep]
    stream = await bridge.open_stream(form=form)
    reply = await stream.here(
        {"triggerId": "deep", "payload": deep},
        {"triggerId": "nul", "name": "a\0b"},
        {"triggerId": "n\0"},
        {"triggerId": "t"},
    )
    named = [(each["triggerId"], each["errors"][0]["pointer"]) for each in reply["invalid"]]
    assert named == [("deep", "/payload" + "/0" * 31), ("nul", "/name"), (None, "/triggerId")]
    assert (await bridge.fire())[0]["decision"] == "started"


async def test_a_deploy_never_resumes_a_paused_trigger(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here({"triggerId": "t"})
    await bridge.call("POST", "/v1/triggers/t/pause")
    await stream.here({"triggerId": "t", "name": "new"})
    assert (await bridge.call("GET", "/v1/triggers/t")).value["paused"] is True


async def test_a_trigger_that_comes_back_keeps_its_pause_and_history(
    bridge: RunningBridge,
) -> None:
    stream = await bridge.open_stream()
    await stream.here({"triggerId": "t"})
    await bridge.fire()
    await bridge.call("POST", "/v1/triggers/t/pause")
    await stream.here()
    await stream.here({"triggerId": "t"})
    state = (await bridge.call("GET", "/v1/triggers/t")).value
    assert (state["paused"], state["detached"], state["counters"]) == (True, False, {"started": 1})


async def test_nothing_is_offered_before_here_or_after_away(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await bridge.set(clientId="c", **ALLOW)
    (before,) = await bridge.fire()
    await stream.here({"triggerId": "t", **ALLOW})
    assert (await stream.next())["executionId"] == before["executionId"]
    await stream.away()
    await stream.claim(before["executionId"])  # the answer says that `away` was heard
    (during,) = await bridge.fire()
    reply = await stream.here({"triggerId": "t", **ALLOW}, runs=(before["executionId"],))
    assert reply["type"] == "reply"
    assert (await stream.next())["executionId"] == during["executionId"]
    offers = [each for each in stream.seen if each["type"] == "execution.start"]
    assert len(offers) == 2


async def test_clients_of_two_workspaces_are_apart(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream(workspaceId="mine")
    await stream.here({"triggerId": "t"})
    (decision,) = await bridge.fire()
    run = await bridge.execution(decision["executionId"])
    assert (run["workspaceId"], run["clientId"]) == ("mine", "c")


async def test_without_a_subprotocol_the_stream_is_json(bridge: RunningBridge) -> None:
    async with bridge.session.ws_connect(
        f"{bridge.base}/v1/stream?clientId=c&sessionId=s", headers=bridge.authorized
    ) as socket:
        assert (await socket.receive()).type is WSMsgType.TEXT


@pytest.mark.parametrize("offered", [["chat"], ["schedule-bridge.v2.json", "graphql-ws"]])
async def test_a_subprotocol_that_is_not_spoken_here_is_refused(
    bridge: RunningBridge, offered: list[str]
) -> None:
    with pytest.raises(WSServerHandshakeError) as refusal:
        await bridge.session.ws_connect(
            f"{bridge.base}/v1/stream?clientId=c&sessionId=s",
            protocols=offered,
            headers=bridge.authorized,
        )
    assert refusal.value.status == 400


async def test_of_several_subprotocols_the_first_that_is_spoken_counts(
    bridge: RunningBridge,
) -> None:
    socket = await bridge.session.ws_connect(
        f"{bridge.base}/v1/stream?clientId=c&sessionId=s",
        protocols=["chat", "schedule-bridge.v1.msgpack", "schedule-bridge.v1.json"],
        headers=bridge.authorized,
    )
    assert socket.protocol == "schedule-bridge.v1.msgpack"
    await Streamer(socket, "msgpack").say_hello()
    await socket.close()
