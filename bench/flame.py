"""The flame graph of the bridge while it decides, by py-spy: docs/images/flame-graph.svg."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from bench import requests
from bench.asking import ask_for
from bench.bridge import real_bridge
from bench.places import peer_python, work_folder

if TYPE_CHECKING:
    from pathlib import Path

_SECONDS = 10
_CONNECTIONS = 16
_SAMPLES_A_SECOND = "400"
_PATIENCE_SECONDS = 60
_TITLE = re.compile(r'(<text id="title"[^>]*>)[^<]*')
"""py-spy's own names paths of the machine."""


def draw(to: Path) -> None:
    """Has the bridge decide for some seconds, and draws where it spent them.

    Raises:
        RuntimeError: py-spy could not look into the process; its own words say why.
    """
    with work_folder() as folder, real_bridge(folder) as bridge:
        bridge.call("PUT", "/v1/triggers/busy", {"overlapPolicy": "skip"})
        bridge.call("POST", "/v1/triggers/busy/fire", {})
        watching = subprocess.Popen(
            [
                *(
                    str(peer_python("py-spy").with_name("py-spy")),
                    "record",
                    "--pid",
                    str(bridge.pid),
                    "--format",
                ),
                *("flamegraph", "--rate", _SAMPLES_A_SECOND, "--duration", str(_SECONDS)),
                *("--output", str(to), "--threads"),
            ],
            stderr=subprocess.PIPE,
        )
        conversations = [requests.firing(bridge, "busy") for _ in range(_CONNECTIONS)]
        ask_for(bridge.port, conversations, _SECONDS + 1, 0.5)
        _, said = watching.communicate(timeout=_PATIENCE_SECONDS)
    if watching.returncode != 0 or not to.exists():
        raise RuntimeError(f"py-spy has failed: {said.decode(errors='replace')}")
    to.write_text(_TITLE.sub(r"\g<1>The bridge, fire → skip, 16 connections", to.read_text()))
