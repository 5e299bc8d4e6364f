"""The command line: `schedule-bridge`."""

from __future__ import annotations

import click

from schedule_bridge.cli.backup import backup
from schedule_bridge.cli.doctor import doctor
from schedule_bridge.cli.ending import cancel, terminate
from schedule_bridge.cli.history import history
from schedule_bridge.cli.pausing import pause, resume
from schedule_bridge.cli.preview import preview
from schedule_bridge.cli.serve import serve
from schedule_bridge.cli.simulate import simulate
from schedule_bridge.cli.status import status
from schedule_bridge.cli.token import token
from schedule_bridge.cli.version import VERSION
from schedule_bridge.cli.why import why

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION)
def main() -> None:
    """Decides whether a scheduled run may start while another is active, and remembers why."""


for command in (
    *(serve, status, why, history, pause, resume, cancel, terminate),
    *(simulate, preview, token, doctor, backup),
):
    main.add_command(command)
