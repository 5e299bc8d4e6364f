"""What an operator's command ends with when it cannot be done: a sentence, and exit code 1."""

from __future__ import annotations

from typing import IO, Any

import click

from schedule_bridge.cli.tables import plain


class FailedError(click.ClickException):
    """Not done; the message is a sentence for a person."""

    def show(self, file: IO[Any] | None = None) -> None:
        """The sentence alone, to standard error."""
        click.echo(plain(self.message), file=file, err=file is None)


class AwayError(FailedError):
    """No bridge can be reached."""


class RefusedError(FailedError):
    """The bridge refused."""


class NotFoundError(RefusedError):
    """There is no such thing, or nothing that fits."""
