"""`schedule-bridge serve`: the service."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from schedule_bridge.api.app import make_bridge_application
from schedule_bridge.api.context import Bridge
from schedule_bridge.api.guard import Guard
from schedule_bridge.api.limits import Limits
from schedule_bridge.api.server import serve as listen
from schedule_bridge.api.token import TokenError, read_or_make_token
from schedule_bridge.cli.estates import AddressError, Place, estate_at, host_of, own_address
from schedule_bridge.cli.logs import log_to_standard_error
from schedule_bridge.cli.loop import new_loop
from schedule_bridge.cli.places import (
    default_token_file,
    remove_address,
    store_option,
    write_address,
)
from schedule_bridge.cli.stopping import end_in_time, leave_interrupts_to_parent, told_to_stop
from schedule_bridge.cli.version import VERSION
from schedule_bridge.core.model import DAY
from schedule_bridge.engine import Settings
from schedule_bridge.store import StoreError

if TYPE_CHECKING:
    from aiohttp import web

log = logging.getLogger("schedule_bridge.service")

_USUAL = Settings()
_BOUNDS = Limits()
_TURN_SECONDS = 0.001
"""How long the loop waits for its turn beside a long simulation; an answer takes several turns."""


@dataclass(slots=True, frozen=True)
class Options:
    """How the bridge is to be run."""

    host: str
    port: int
    database: Path | str
    address: str | None
    lease_seconds: float
    token_file: Path
    allow_host: tuple[str, ...]
    allow_origin: tuple[str, ...]
    connections: int
    history_days: int
    history_rows: int
    exit_with_parent: bool


@click.command(context_settings={"auto_envvar_prefix": "SCHEDULE_BRIDGE"})
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to bind.")
@click.option(
    "--port",
    default=8765,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="The port to bind; 0 takes a free one.",
)
@store_option
@click.option(
    "--address",
    metavar="URL",
    help="Where the other bridges of a shared store reach this one; http://HOST:PORT if left out.",
)
@click.option(
    "--lease-seconds",
    default=10.0,
    show_default=True,
    type=click.FloatRange(2, 300),
    help="How long a workspace stays without an owner, at most twice, after a bridge has died.",
)
@click.option(
    "--token-file",
    default=default_token_file,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file that holds the token; made at first start.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="HOST:PORT",
    help="Another Host header to answer to; may be repeated.",
)
@click.option(
    "--allow-origin",
    multiple=True,
    metavar="ORIGIN",
    help="A web page's origin to answer to; may be repeated.",
)
@click.option(
    "--connections",
    default=_BOUNDS.connections,
    show_default=True,
    type=click.IntRange(8, 100_000),
    help="How many clients may be connected at a time, streams with them.",
)
@click.option(
    "--history-days",
    default=_USUAL.history_kept // DAY,
    show_default=True,
    type=click.IntRange(1, 3650),
    help="How long decisions, runs that have ended and missed stretches are kept.",
)
@click.option(
    "--history-rows",
    default=_USUAL.history_rows,
    show_default=True,
    type=click.IntRange(1000, 100_000_000),
    help="How many of each are kept at most.",
)
@click.option(
    "--exit-with-parent",
    is_flag=True,
    help="Stop when standard input, a pipe from the parent process, is closed.",
)
def serve(**given: Any) -> None:
    """Run the bridge. Every option may also be given as SCHEDULE_BRIDGE_NAME."""
    log_to_standard_error()
    options = Options(**given)
    if options.exit_with_parent:
        leave_interrupts_to_parent()
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(_serve(options))
    except (AddressError, StoreError, TokenError) as error:
        _give_up(str(error))
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        _give_up(f"The bridge cannot start: {error.strerror or error}{where}.")


def _give_up(why: str) -> NoReturn:
    log.error("%s", why, extra={"action": "start"})
    raise SystemExit(1)


async def _serve(options: Options) -> None:
    sys.setswitchinterval(_TURN_SECONDS)
    token = read_or_make_token(options.token_file)
    settings = Settings(history_kept=options.history_days * DAY, history_rows=options.history_rows)
    place = _place_of(options)
    async with estate_at(place, settings, token) as (estate, forwarder):
        bridge = Bridge(estate, VERSION, forwarder=forwarder)
        hosts = {*options.allow_host, *([host_of(place.address)] if forwarder else [])}
        guard = Guard(
            token, frozenset(host.lower() for host in hosts), frozenset(options.allow_origin)
        )
        await _serve_until_told(options, bridge, guard)


def _place_of(options: Options) -> Place:
    if isinstance(options.database, str):
        address = own_address(options.address, options.host, options.port)
        return Place(options.database, address, options.lease_seconds)
    return Place(options.database, "", options.lease_seconds)


async def _serve_until_told(options: Options, bridge: Bridge, guard: Guard) -> None:
    app = make_bridge_application(bridge, guard, Limits(connections=options.connections))
    runner = await _listen(app, options)
    url = _url(*runner.addresses[0][:2])
    write_address(options.token_file, url)
    log.info("The bridge listens at %s.", url, extra={"action": "start", "url": url})
    try:
        await told_to_stop(with_parent=options.exit_with_parent)
    finally:
        end_in_time()
        log.info("The bridge stops.", extra={"action": "stop"})
        remove_address(options.token_file)
        bridge.links.close()
        await runner.cleanup()


def _url(host: str, port: int) -> str:
    """Where to reach the bridge; one that is bound to every address answers on the loopback."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not bound here
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


async def _listen(app: web.Application, options: Options) -> web.AppRunner:
    try:
        return await listen(app, options.host, options.port)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        where = f"{options.host}, port {options.port}"
        raise AddressError(f"The bridge cannot listen at {where}: {why}.") from error
