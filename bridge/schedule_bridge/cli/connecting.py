"""How an operator's command finds the running bridge and its token by itself."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click

from schedule_bridge.api.token import TokenError, read_or_make_token
from schedule_bridge.cli.client import BridgeClient
from schedule_bridge.cli.failures import FailedError
from schedule_bridge.cli.places import default_token_file, read_address

if TYPE_CHECKING:
    from collections.abc import Callable

_USUAL_URL: Final = "http://127.0.0.1:8765"
_TOKEN_VARIABLE: Final = "SCHEDULE_BRIDGE_TOKEN"  # noqa: S105 - a name

as_json_option = click.option("--json", "as_json", is_flag=True, help="For scripts.")


def asks_bridge(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command --url and --token-file, and the BridgeClient they lead to as `bridge`."""

    @click.option(
        "--url",
        envvar="SCHEDULE_BRIDGE_URL",
        callback=_read_urls,
        help="Where the bridge is (SCHEDULE_BRIDGE_URL); found by itself if left out.",
    )
    @click.option(
        "--token-file",
        envvar="SCHEDULE_BRIDGE_TOKEN_FILE",
        default=default_token_file,
        type=click.Path(path_type=Path, dir_okay=False),
        help="The bridge's token (SCHEDULE_BRIDGE_TOKEN_FILE); SCHEDULE_BRIDGE_TOKEN goes before.",
    )
    @functools.wraps(command)
    def connected(url: tuple[str, ...], token_file: Path, **rest: Any) -> None:
        command(bridge=connect(url, token_file), **rest)

    return connected


def connect(urls: tuple[str, ...], token_file: Path) -> BridgeClient:
    """The bridge at `urls`, else at the address that stands beside the token, else at the usual.

    Raises:
        FailedError: there is no token that could be used.
    """
    token, source = _find_token(token_file)
    return BridgeClient(urls or (read_address(token_file) or _USUAL_URL,), token, source)


def _find_token(token_file: Path) -> tuple[str, str]:
    token = os.environ.get(_TOKEN_VARIABLE, "").strip()
    if token:
        if not (token.isascii() and token.isprintable()):
            raise FailedError(f"{_TOKEN_VARIABLE} holds characters that no token has.")
        return token, _TOKEN_VARIABLE
    if not token_file.exists():
        raise FailedError(
            f"There is no token at {token_file}, so no bridge has run there yet. "
            "Start one with `schedule-bridge serve`, or name the token of another with "
            f"--token-file or {_TOKEN_VARIABLE}."
        )
    try:
        return read_or_make_token(token_file), str(token_file)
    except (TokenError, OSError) as error:
        raise FailedError(str(error)) from None


def _read_urls(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[str, ...]:
    urls = tuple(url for part in (text or "").split(",") if (url := part.strip()))
    for url in urls:
        _check_url(url)
    return urls


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise click.BadParameter(f"{url!r} is no address such as {_USUAL_URL}.")
