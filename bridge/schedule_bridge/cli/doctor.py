"""`schedule-bridge doctor`: what is wrong with a store, and engine time set back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from schedule_bridge.cli.connecting import as_json_option
from schedule_bridge.cli.failures import FailedError
from schedule_bridge.cli.places import default_token_file, read_address, store_option
from schedule_bridge.cli.postgres import postgres
from schedule_bridge.cli.tables import print_json, print_line, print_table
from schedule_bridge.cli.when import now
from schedule_bridge.core.model import SECOND, Duration, Instant
from schedule_bridge.core.sentences import duration
from schedule_bridge.engine.registration import read_back
from schedule_bridge.store import StoreError, TriggerRecord
from schedule_bridge.store.clock_reset import reset_clock
from schedule_bridge.store.examination import examine, private_modes
from schedule_bridge.store.findings import CHECKS, Examination

if TYPE_CHECKING:
    from schedule_bridge.cli.client import Json

_HEADS: Final = ("check", "", "what was found, what to do")
_ROWS: Final = {
    "executions": "runs",
    "missed_stretches": "missed stretches",
    "idempotency_keys": "idempotency keys",
}
_SOMETHING_IS_WRONG: Final = 1


@click.command(context_settings={"auto_envvar_prefix": "SCHEDULE_BRIDGE"})
@store_option
@click.option(
    "--token-file",
    default=default_token_file,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file that holds the token.",
)
@click.option(
    "--clock",
    "set_clock_back",
    is_flag=True,
    help="Set engine time that runs ahead back to the clock of this machine.",
)
@as_json_option
def doctor(database: str | Path, token_file: Path, *, set_clock_back: bool, as_json: bool) -> None:
    """Check a store, and say what is wrong with it and what to do.

    It reads the store and changes nothing, whether a bridge is using it or not. The exit code is 1
    if something is wrong. With --clock, which needs the bridge to be stopped, it sets engine time
    back: deadlines and delays keep the time that they have left, and ticks are counted from now.
    """
    try:
        if set_clock_back:
            _set_clock_back(database, as_json=as_json)
            return
        examination = _examine(database)
    except StoreError as error:
        raise FailedError(str(error)) from None
    if token_file.exists():
        examination.findings += private_modes([token_file.absolute()])
    _show(examination, read_address(token_file), as_json=as_json)
    if not examination.is_sound:
        raise SystemExit(_SOMETHING_IS_WRONG)


def _examine(database: str | Path) -> Examination:
    if isinstance(database, Path):
        return examine(database, now())
    postgres(database)  # says what to install
    from schedule_bridge.store.postgres.examination import (  # noqa: PLC0415 - optional
        examine_database,
    )

    return asyncio.run(examine_database(database, now()))


def _set_clock_back(database: str | Path, *, as_json: bool) -> None:
    at = now()
    by = _reset(database, at)
    if as_json:
        print_json({"setBackBySeconds": by / SECOND})
    elif by:
        print_line(f"Engine time was set back by {_span(by)} to the clock of this machine.")
    else:
        print_line("Engine time does not run ahead of the clock of this machine.")


def _reset(database: str | Path, at: Instant) -> Duration:
    def next_tick(record: TriggerRecord) -> Instant | None:
        return _next_tick(record, at)

    if isinstance(database, Path):
        if not database.is_file():
            raise StoreError(f"There is no store at {database}. Name it with --database.")
        return reset_clock(database, at, next_tick)
    postgres(database)
    from schedule_bridge.store.postgres.clock_reset import (  # noqa: PLC0415 - optional
        reset_database_clock,
    )

    return asyncio.run(reset_database_clock(database, at, next_tick))


def _next_tick(record: TriggerRecord, at: Instant) -> Instant | None:
    schedule = read_back(record).schedule
    return schedule.next_after(at)


def _span(span: Duration) -> str:
    return duration(span) if span >= SECOND else f"{span / SECOND:.3f} s"


def _show(examination: Examination, url: str | None, *, as_json: bool) -> None:
    running_at = url if examination.bridge_is_running else None
    if as_json:
        print_json(_as_json(examination, running_at))
        return
    print_line(_summary(examination, running_at))
    rows = [row for check in CHECKS for row in _rows(check, examination)]
    print_table(_HEADS, rows)


def _summary(examination: Examination, url: str | None) -> str:
    where = f" at {url}" if url else ""
    used = f"A bridge is using it{where}." if examination.bridge_is_running else "No bridge runs."
    counts = ", ".join(
        f"{count:,} {_ROWS.get(table, table)}" for table, count in examination.rows.items()
    )
    size = f"{examination.bytes_on_disk / 1_000_000:.1f} MB"
    return f"{examination.path}: {', '.join(filter(None, (size, counts)))}. {used}"


def _rows(check: str, examination: Examination) -> list[tuple[str, ...]]:
    found = [finding for finding in examination.findings if finding.check == check]
    if found:
        return [
            (check, "wrong" if each.is_wrong else "note", f"{each.message}\n{each.remedy}".rstrip())
            for each in found
        ]
    return [(check, "ok" if check in examination.checked else "not checked", "")]


def _as_json(examination: Examination, url: str | None) -> Json:
    return {
        "database": str(examination.path),
        "sound": examination.is_sound,
        "bridge": {"running": examination.bridge_is_running, "url": url},
        "schemaVersion": examination.schema_version,
        "bytes": examination.bytes_on_disk,
        "rows": examination.rows,
        "aheadSeconds": None if examination.ahead is None else examination.ahead / SECOND,
        "checked": [check for check in CHECKS if check in examination.checked],
        "findings": [
            {
                "check": each.check,
                "wrong": each.is_wrong,
                "message": each.message,
                "remedy": each.remedy or None,
            }
            for each in examination.findings
        ],
    }
