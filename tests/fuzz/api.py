"""Schemathesis against a real bridge: every route, what its schema allows and what it does not."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, STDOUT
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.bridge_process import serving

from .known import TRIGGERS

if TYPE_CHECKING:
    from cli.bridge_process import BridgeProcess

_TESTS = Path(__file__).parents[1]
_GRACE_SECONDS = 60
_LEFT_OUT = (
    # Whether a cron expression or a cursor means something is more than a schema can say.
    "positive_data_acceptance"
)


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a run got, and what it found."""

    routes: int
    left_out: int
    """Routes that were not come to."""
    requests: int
    server_errors: int
    complaints: int
    told: str
    """What Schemathesis printed."""


async def fuzz_api(folder: Path, seconds: int, seed: int) -> Reached:
    """Sends requests to a bridge of its own for so long.

    A line of the log that tells of a mistake in the bridge counts as a server error, too.
    """
    report = folder / "report.json"
    async with serving(folder) as bridge:
        for trigger_id in TRIGGERS:
            config = {"overlapPolicy": "allow", "maxConcurrent": 1000, "maxRunMinutes": 1}
            await bridge.call("PUT", f"/v1/triggers/{trigger_id}", config)
        told = await _schemathesis(bridge, report, seconds, seed)
        mistakes = [line for line in bridge.log if line["level"] in ("error", "critical")]
    assert report.exists(), told
    return _read(json.loads(report.read_text()), mistakes, told)


async def _schemathesis(bridge: BridgeProcess, report: Path, seconds: int, seed: int) -> str:
    header = f"Authorization: {bridge.authorized['Authorization']}"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()"),
        *("run", f"{bridge.base}/openapi.json", "--header", header, "--no-color"),
        *("--seed", str(seed), "--max-time", str(seconds), "--continue-on-failure", "--no-shrink"),
        *("--checks", "all", "--exclude-checks", _LEFT_OUT, "--generation-database", "none"),
        *("--report-json-path", str(report), "--request-timeout", "20"),
        env={**os.environ, "SCHEMATHESIS_HOOKS": "fuzz.hooks", "PYTHONPATH": str(_TESTS)},
        cwd=report.parent,
        stdout=PIPE,
        stderr=STDOUT,
    )
    try:
        async with asyncio.timeout(seconds + _GRACE_SECONDS):
            out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    return out.decode()


def _read(report: Any, mistakes: list[Any], told: str) -> Reached:
    complaints = {each["type"]: each["count"] for each in report["failures"]}
    if report["errors"] or mistakes:
        told += json.dumps([report["errors"], mistakes], indent=1)
    return Reached(
        routes=report["operations"]["tested"],
        left_out=report["operations"]["total"] - report["operations"]["tested"],
        requests=report["test_cases"]["generated"],
        server_errors=complaints.get("ServerError", 0) + len(mistakes),
        complaints=sum(complaints.values()) + len(report["errors"]),
        told=told,
    )
