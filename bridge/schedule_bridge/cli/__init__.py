"""The command line: `schedule-bridge`."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from schedule_bridge.cli.backup import backup
from schedule_bridge.cli.doctor import doctor
from schedule_bridge.cli.ending import cancel, terminate
from schedule_bridge.cli.handing_over import hand_over
from schedule_bridge.cli.history import history
from schedule_bridge.cli.moving import move
from schedule_bridge.cli.pausing import pause, resume
from schedule_bridge.cli.preview import preview
from schedule_bridge.cli.serve import serve
from schedule_bridge.cli.simulate import simulate
from schedule_bridge.cli.status import status
from schedule_bridge.cli.token import token
from schedule_bridge.cli.version import VERSION
from schedule_bridge.cli.why import why

__all__ = ["main"]


class _Commands(click.Group):
    """Commands that end with a sentence where the system refuses what they print, read or write."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Runs what the command line says; does not return."""
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            what = f"{error.filename}: " if error.filename else ""
            click.echo(f"It did not work: {what}{error.strerror or error}.", err=True)
            _forget_what_is_not_printed()
            raise SystemExit(1) from error


def _forget_what_is_not_printed() -> None:
    """Else Python tries once more when it ends, and fails with a message of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION)
def main() -> None:
    """Decides whether a scheduled run may start while another is active, and remembers why."""


for command in (
    *(serve, status, why, history, pause, resume, cancel, terminate, hand_over),
    *(simulate, preview, token, doctor, backup, move),
):
    main.add_command(command)
