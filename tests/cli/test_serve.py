"""`schedule-bridge serve`: where it keeps things, how it stops, what it refuses to begin."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING

import pytest

from .bridge_process import clean_environment, run, serving

if TYPE_CHECKING:
    from pathlib import Path

    from .bridge_process import BridgeProcess


async def test_without_an_argument_everything_is_in_the_data_directory(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        await bridge.call("PUT", "/v1/triggers/t", {})
        files = {path.name: path.stat().st_mode & 0o777 for path in bridge.folder.iterdir()}
        assert {"bridge.db", "token", "address"} <= files.keys()
        assert set(files.values()) == {0o600}
        assert bridge.folder.stat().st_mode & 0o777 == 0o700


async def test_without_an_option_it_is_reached_from_this_machine_alone(tmp_path: Path) -> None:
    """127.0.0.2 stands for any other address: a bridge bound to all would answer there."""
    async with serving(tmp_path) as bridge:
        host, port = bridge.base.removeprefix("http://").split(":")
        assert host == "127.0.0.1"
        with pytest.raises(OSError, match=r"127\.0\.0\.2"):
            await asyncio.open_connection("127.0.0.2", int(port))


async def test_options_come_from_the_environment_too(tmp_path: Path) -> None:
    async with serving(
        tmp_path,
        SCHEDULE_BRIDGE_DATABASE=str(tmp_path / "elsewhere" / "my.db"),
        SCHEDULE_BRIDGE_TOKEN_FILE=str(tmp_path / "mine" / "token"),
        SCHEDULE_BRIDGE_ALLOW_HOST="bridge.example:80 other.example:81",
        SCHEDULE_BRIDGE_ALLOW_ORIGIN="https://editor.example",
    ) as bridge:
        assert (tmp_path / "elsewhere" / "my.db").exists()
        headers = {"Host": "other.example:81", "Origin": "https://editor.example"}
        assert (await bridge.call("GET", "/v1/info", headers=headers)).status == 200
        headers = {"Host": "third.example:81"}
        assert (await bridge.call("GET", "/v1/info", headers=headers)).status == 403


async def test_it_lets_in_as_many_connections_as_it_is_told(tmp_path: Path) -> None:
    async with serving(tmp_path, SCHEDULE_BRIDGE_CONNECTIONS="8") as bridge:
        await bridge.session.close()  # what it keeps open is not to be counted
        open_ones = [await _shown_the_token(bridge) for _ in range(8)]
        reader, writer = await asyncio.open_connection("127.0.0.1", _port_of(bridge))
        assert await reader.read() == b""
        for each in (writer, *open_ones):
            each.close()


async def _shown_the_token(bridge: BridgeProcess) -> asyncio.StreamWriter:
    port, token = _port_of(bridge), bridge.authorized["Authorization"]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET /v1/info HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: {token}"
    writer.write(f"{head}\r\n\r\n".encode())
    assert b" 200 " in await reader.readuntil(b"\r\n")
    return writer


def _port_of(bridge: BridgeProcess) -> int:
    return int(bridge.base.rpartition(":")[2])


async def test_an_option_goes_before_the_environment(tmp_path: Path) -> None:
    mine = tmp_path / "mine.db"
    async with serving(
        tmp_path, "--database", str(mine), SCHEDULE_BRIDGE_DATABASE=str(tmp_path / "other.db")
    ):
        assert mine.exists()
        assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize("answers", [True, False])
async def test_it_stops_in_time_with_a_stream_open(tmp_path: Path, answers: bool) -> None:
    """Even if whoever is at the other end hangs."""
    async with serving(tmp_path) as bridge:
        stream = await bridge.open_stream(answers=answers)
        await stream.here({"triggerId": "t"})
        assert await bridge.terminate() == 0
        assert not (bridge.folder / "address").exists()
        assert bridge.logged("stop") != []
        await stream.hang_up()


async def test_one_log_line_a_decision_with_its_sentence_and_never_a_payload(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as bridge:
        await bridge.call("PUT", "/v1/triggers/t", {"payload": "secret of the trigger"})
        body = {"payload": "secret of the firing", "lockKey": "100% {weird}"}
        fired = [
            (await bridge.call("POST", "/v1/triggers/t/fire", body)).value["decisions"][0]
            for _ in range(2)
        ]
        await bridge.terminate()
        lines = bridge.logged("decision")
        assert [line["message"] for line in lines] == [each["message"] for each in fired]
        assert [line["reason"] for line in lines] == [None, "active"]
        assert [line["firingId"] for line in lines] == [each["firingId"] for each in fired]
        everything = json.dumps(bridge.log)
        token = (bridge.folder / "token").read_text().strip()
        assert not any(secret in everything for secret in ("secret of", token))


async def test_a_second_bridge_on_one_store_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path):
        env = clean_environment(tmp_path, SCHEDULE_BRIDGE_PORT="0")
        code, _, log = await run("serve", env=env)
    (line,) = log.splitlines()
    assert code == 1
    assert json.loads(line)["message"].startswith("Another bridge is using the store")


async def test_a_port_in_use_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, _, log = await run("serve", "--port", port, env=clean_environment(tmp_path))
    (line,) = log.splitlines()
    assert code == 1
    assert json.loads(line)["message"] == (
        f"The bridge cannot listen at 127.0.0.1, port {port}: Address already in use."
    )


async def test_a_token_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("x" * 40)
    token.chmod(0o644)
    arguments = ("serve", "--port", "0", "--token-file", str(token))
    code, _, log = await run(*arguments, env=clean_environment(tmp_path))
    assert code == 1
    assert f"Others can read {token}." in json.loads(log)["message"]


async def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "notes.txt"
    database.write_text("buy milk " * 99)
    arguments = ("serve", "--port", "0", "--database", str(database))
    code, _, log = await run(*arguments, env=clean_environment(tmp_path))
    assert code == 1
    assert "file is not a database" in json.loads(log)["message"]
    assert database.read_text().startswith("buy milk")
