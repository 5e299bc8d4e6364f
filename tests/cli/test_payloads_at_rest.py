"""A payload is on the disk while its run needs it, in files of the owner's alone, and not after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .bridge_process import BridgeProcess, serving

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "a secret of the payload, 0123456789"  # noqa: S105


def files_with_the_secret(bridge: BridgeProcess) -> list[str]:
    return [path.name for path in bridge.folder.iterdir() if SECRET.encode() in path.read_bytes()]


async def test_a_payload_is_gone_from_the_disk_once_its_run_has_ended(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        await bridge.call("PUT", "/v1/triggers/t", {})
        body = {"payload": {"password": SECRET}}
        (decision,) = (await bridge.call("POST", "/v1/triggers/t/fire", body)).value["decisions"]
        assert files_with_the_secret(bridge) != []
        path = f"/v1/executions/{decision['executionId']}/finished"
        await bridge.call("POST", path, {"outcome": "completed"})
        await bridge.terminate()
        assert files_with_the_secret(bridge) == []
        assert SECRET not in str(bridge.log)
