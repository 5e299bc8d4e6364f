"""The log: one JSON object a line, so that a program can read it and nothing can forge a line."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import TYPE_CHECKING, Any, Final, TextIO

import orjson

from schedule_bridge.core.decisions import Decision
from schedule_bridge.engine.chronicle import Facts, sentence
from schedule_bridge.wire.times import format_instant

if TYPE_CHECKING:
    from schedule_bridge.core.model import Execution
    from schedule_bridge.engine.chronicle import Fact

_DELETE: Final = "\x7f"


class JsonLines(logging.Formatter):
    """A line a record, or a fact of one: time, level, action, message, and what it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line of JSON; one that tells facts as a line each."""
        beginning = {
            "time": format_instant(round(record.created * 1_000_000)),
            "level": record.levelname.lower(),
        }
        if isinstance(record.msg, Facts):
            facts = record.msg.facts
            return "\n".join([_visible({**beginning, **_members_of(fact)}) for fact in facts])
        line: dict[str, Any] = {
            **beginning,
            "action": getattr(record, "action", record.name),
            "message": record.getMessage(),
        }
        url = getattr(record, "url", None)
        if isinstance(url, str):
            line["url"] = url
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return _visible(line)


def _visible(members: dict[str, Any]) -> str:
    """A line of JSON without what steers a terminal or passes for the end of a line.

    JSON itself escapes the control characters below space alone.
    """
    line = orjson.dumps(members).decode()
    if (line.isascii() and _DELETE not in line) or line.isprintable():
        return line
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in line)


def _members_of(fact: Fact) -> dict[str, Any]:
    if isinstance(fact, Decision):
        return _members_of_decision(fact)
    return _members_of_end(fact)


def _members_of_decision(decision: Decision) -> dict[str, Any]:
    return {
        "action": "decision",
        "message": sentence(decision),
        "decision": decision.verdict.value,
        "reason": decision.reason,
        "triggerId": decision.trigger_id,
        "workspaceId": decision.workspace_id,
        "lockKey": decision.lock_key or None,
        "executionId": decision.execution_id,
        "firingId": decision.firing_id,
    }


def _members_of_end(execution: Execution) -> dict[str, Any]:
    return {
        "action": "ended",
        "message": sentence(execution),
        "outcome": execution.state.value,
        "reason": execution.reason,
        "triggerId": execution.trigger_id,
        "workspaceId": execution.workspace_id,
        "lockKey": execution.lock_key or None,
        "executionId": execution.execution_id,
    }


class LinesOfATurn(logging.Handler):
    """Writes in one piece what one turn of the event loop logs; a warning and the like at once.

    A piece a line would cost as much as a decision, and one commit makes many of them.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps the record's line until the turn is over."""
        try:
            self._lines.append(self.format(record))
            if record.levelno > logging.INFO or not self._flushes_soon():
                self.flush()
        except Exception:
            self.handleError(record)

    def flush(self) -> None:
        """Writes what has been kept."""
        self.acquire()
        try:
            lines, self._lines = self._lines, []
            if lines:
                self._stream.write("\n".join(lines) + "\n")
                self._stream.flush()
        except (OSError, ValueError):
            pass  # there is nowhere to say that nobody listens
        finally:
            self.release()

    def _flushes_soon(self) -> bool:
        """Whether there is a loop on this thread, whose next turn writes what has been kept."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return False
        if len(self._lines) == 1:
            loop.call_soon(self.flush)
        return True


def log_to_standard_error() -> None:
    """Sends everything from INFO upwards to standard error."""
    # Nothing of it is in a line.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # noqa: SLF001 - the documented way to have no line looked for
    handler = LinesOfATurn(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
