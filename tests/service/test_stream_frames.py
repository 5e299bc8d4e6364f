"""Bad frames end the connection and change nothing; payloads pass unharmed in both forms."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it carries no types
import pytest

from service.bridge import RunningBridge
from service.caller import MSGPACK

T = {"triggerId": "t"}
MOMENT = datetime(2026, 3, 29, 1, 30, 0, 123000, tzinfo=UTC)
RICH = {"image": b"\x00\xff" * 10, "when": MOMENT, "deep": [{"more": [b"", MOMENT]}], "n": None}


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '"here"',
        '{"type": "dance"}',
        '{"type": "here", "triggers": [], "runs": []}',
        '{"type": "here", "id": 1, "triggers": {}, "runs": []}',
        '{"type": "here", "id": 1, "triggers": [7], "runs": []}',
        '{"type": "started", "id": 1}',
        '{"type": "started", "id": 1.5, "executionId": "x"}',
        '{"type": "finished", "id": 1, "executionId": "x", "outcome": "expired"}',
        '{"type": "finished", "id": 1, "executionId": "x", "outcome": "failed", "endedAt": "now"}',
        '{"type": "away", "why": "because"}',
        "[" * 5000,
    ],
)
async def test_a_bad_frame_ends_the_connection(bridge: RunningBridge, text: str) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    before = await bridge.everything()
    await stream.socket.send_str(text)
    end = await stream.end()
    assert end.code == 4004
    assert end.why
    assert await bridge.everything() == before


@pytest.mark.parametrize("form", ["json", "msgpack"])
async def test_a_frame_in_the_other_form_ends_the_connection(
    bridge: RunningBridge, form: str
) -> None:
    stream = await bridge.open_stream(form=form)
    if form == "json":
        await stream.socket.send_bytes(msgpack.packb({"type": "away"}))
    else:
        await stream.socket.send_str('{"type": "away"}')
    assert (await stream.end()).code == 4004


async def test_a_frame_of_any_length_is_bounded(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream()
    await stream.here(T)
    with suppress(ConnectionError):  # it may be cut before all of it was sent
        await stream.socket.send_str('{"type": "' + "x" * 9_000_000 + '"}')
    await stream.end()
    await bridge.nobody_is_here()


async def fired_and_offered(bridge: RunningBridge, payload: Any, form: str) -> Any:
    """Fires with MessagePack; the payload as the offer has it."""
    stream = await bridge.open_stream(form=form)
    await stream.here(T)
    await bridge.call("POST", "/v1/triggers/t/fire", {"payload": payload}, media=MSGPACK)
    return (await stream.next())["payload"]


async def test_buffers_and_dates_pass_unharmed(bridge: RunningBridge) -> None:
    assert await fired_and_offered(bridge, RICH, "msgpack") == RICH


async def test_a_json_client_sees_buffers_and_dates_as_text(bridge: RunningBridge) -> None:
    assert await fired_and_offered(bridge, RICH, "json") == {
        "image": {"$base64": "AP8A/wD/AP8A/wD/AP8A/wD/AP8="},
        "when": "2026-03-29T01:30:00.123Z",
        "deep": [{"more": [{"$base64": ""}, "2026-03-29T01:30:00.123Z"]}],
        "n": None,
    }


async def test_what_json_calls_base64_a_msgpack_client_sees_as_bytes(
    bridge: RunningBridge,
) -> None:
    stream = await bridge.open_stream(form="msgpack")
    await stream.here(T)
    await bridge.fire(body={"payload": {"image": {"$base64": "AP8="}}})
    assert (await stream.next())["payload"] == {"image": b"\x00\xff"}


async def test_a_payload_survives_the_store(bridge: RunningBridge) -> None:
    await bridge.set(clientId="c")
    await bridge.call("POST", "/v1/triggers/t/fire", {"payload": RICH}, media=MSGPACK)
    await bridge.restart()
    stream = await bridge.open_stream(form="msgpack")
    await stream.here(T)
    assert (await stream.next())["payload"] == RICH


async def test_a_triggers_own_payload_passes_unharmed(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream(form="msgpack")
    await stream.here({**T, "payload": RICH})
    shown = await bridge.call("GET", "/v1/triggers/t", media=MSGPACK)
    assert shown.value["configuration"]["payload"] == RICH
    await bridge.fire()
    assert (await stream.next())["payload"] == RICH


async def test_merged_payloads_keep_their_buffers(bridge: RunningBridge) -> None:
    stream = await bridge.open_stream(form="msgpack")
    await stream.here({**T, "overlapPolicy": "queue"})
    await bridge.fire()
    run = (await stream.next())["executionId"]
    await stream.claim(run)
    for part in ({"a": b"1", "b": 1}, {"b": MOMENT}):
        await bridge.call("POST", "/v1/triggers/t/fire", {"payload": part}, media=MSGPACK)
    await stream.finish(run)
    assert (await stream.next())["payload"] == {"a": b"1", "b": MOMENT}


@pytest.mark.parametrize("payload", [0, "", False, [], {}, 2**63 - 1, -(2**63), 1.5e300])
async def test_a_payload_may_be_anything(bridge: RunningBridge, payload: Any) -> None:
    assert await fired_and_offered(bridge, payload, "msgpack") == payload
