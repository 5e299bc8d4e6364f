"""`serve --exit-with-parent`: the bridge that a Node-RED runs for itself."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from signal import SIGKILL
from typing import TYPE_CHECKING

from schedule_bridge.cli import version

from .bridge_process import clean_environment, serving

if TYPE_CHECKING:
    from pathlib import Path

_PARENT = """
import subprocess, sys, time
command = (sys.executable, "-m", "schedule_bridge", "serve", "--exit-with-parent")
subprocess.Popen(command, stdin=subprocess.PIPE)
time.sleep(600)
"""
_PATIENCE_SECONDS = 20


async def test_a_parent_that_is_killed_leaves_no_bridge_behind(tmp_path: Path) -> None:
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PARENT),
        stdin=DEVNULL,
        stderr=PIPE,
        env=clean_environment(tmp_path, SCHEDULE_BRIDGE_PORT="0"),
    )
    assert parent.stderr is not None
    async with asyncio.timeout(_PATIENCE_SECONDS):
        assert b"listens" in await parent.stderr.readline()
        parent.send_signal(SIGKILL)
        # The bridge has the other end of this pipe: it closes when the process is gone.
        assert b"stops" in await parent.stderr.read()
    await parent.wait()
    assert not (tmp_path / "schedule-bridge" / "address").exists()


async def test_the_interrupt_of_a_terminal_is_the_parents_to_follow(tmp_path: Path) -> None:
    async with serving(tmp_path, "--exit-with-parent") as bridge:
        bridge.interrupt()
        assert (await bridge.call("GET", "/v1/info")).status == 200
        bridge.close_input()
        assert await bridge.ended() == 0


async def test_without_the_option_a_closed_input_changes_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        bridge.close_input()
        assert (await bridge.call("GET", "/v1/info")).status == 200
        assert await bridge.terminate() == 0


async def test_its_first_line_says_where_it_listens(tmp_path: Path) -> None:
    async with serving(tmp_path) as bridge:
        assert bridge.log[0]["url"] == bridge.base


async def test_the_version_is_known_without_an_install() -> None:
    read = f"import runpy; print(runpy.run_path({version.__file__!r})['VERSION'])"
    # Without the site's packages nothing is installed.
    process = await asyncio.create_subprocess_exec(sys.executable, "-S", "-c", read, stdout=PIPE)
    said, _ = await process.communicate()
    assert said.decode().strip() == version.VERSION
