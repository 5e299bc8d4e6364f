"""`schedule-bridge token`: the token that clients need."""

from __future__ import annotations

from pathlib import Path

import click

from schedule_bridge.api.token import TokenError, read_or_make_token
from schedule_bridge.cli.places import default_token_file


@click.command(context_settings={"auto_envvar_prefix": "SCHEDULE_BRIDGE"})
@click.option(
    "--token-file",
    default=default_token_file,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file that holds the token; made if there is none.",
)
def token(token_file: Path) -> None:
    """Print the bridge's token."""
    try:
        click.echo(read_or_make_token(token_file))
    except (TokenError, OSError) as error:
        click.echo(str(error), err=True)
        raise SystemExit(1) from None
