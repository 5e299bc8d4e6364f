"""APScheduler 3 as it is measured: driven by hand, or on its SQLite store."""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.executors.base import BaseExecutor
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers import base
from sqlalchemy import Engine, create_engine, event

SECOND = timedelta(seconds=1)

SILENT = bool(os.environ.get("SILENT"))
"""Else what it has to say of a skip, a warning that is shown by default, is written to nowhere."""
logging.basicConfig(level=logging.ERROR if SILENT else logging.WARNING, filename=os.devnull)


class ByHand(base.BaseScheduler):  # type: ignore[misc]  # it carries no types
    """A scheduler that works when it is told to: no thread of its own to wait for."""

    def shutdown(self, *_: Any, **__: Any) -> None:
        """Nothing runs."""

    def wakeup(self) -> None:
        """It is woken by `decide_all` alone."""

    def decide_all(self) -> None:
        """Deals with every job that is due."""
        self._process_jobs()


class Busy(BaseExecutor):  # type: ignore[misc]  # it carries no types
    """Runs that go on for ever: from the second time on `max_instances` is reached."""

    def _do_submit_job(self, *_: Any) -> None:
        pass


class HandClock:
    """Stands in for `datetime` in the scheduler, so that its jobs are due when they are wanted."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC).replace(microsecond=0)
        base.datetime = self

    def now(self, _: object) -> datetime:
        """The time that it is set to."""
        return self.time


def work() -> None:
    """What a job does: its reference is kept in the store."""


def sqlite_store(file: str) -> SQLAlchemyJobStore:
    """Its own store on a file in WAL mode; what is committed is on the disk."""
    return SQLAlchemyJobStore(engine=sqlite_engine(file, "FULL"))


def sqlite_engine(file: str, synchronous: str) -> Engine:
    """Connections to a file, as durable as is wanted."""
    engine = create_engine(f"sqlite:///{file}")

    def set_up(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {synchronous}")

    event.listen(engine, "connect", set_up)
    return engine
