"""The log's lines: one JSON object each, whatever clients call things (security.md)."""

import asyncio
import io
import json
import logging
from threading import Thread

import pytest

from schedule_bridge.cli.logs import JsonLines, LinesOfATurn
from schedule_bridge.core.model import State
from schedule_bridge.engine.chronicle import Facts, sentence
from store.samples import decision, execution

HOSTILE = [
    'a"}\n{"level":"error","message":"forged',
    "a\r\nb",
    "a\u2028b\u2029c\u0085d",
    "\x1b[2Jgone",
    "\u009b2Jgone",
    "user\u202egnp.exe",
    "\u2066inner\u2069",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16") + "\u200b",
]


def line_for(message: str) -> str:
    return JsonLines().format(logging.LogRecord("x", logging.INFO, "", 0, "%s", (message,), None))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_line_stays_one_visible_line_that_says_what_was_said(text: str) -> None:
    line = line_for(text)
    assert line.isprintable()
    assert len(line.splitlines()) == 1
    assert json.loads(line)["message"] == text


def test_the_letters_of_any_script_are_left_alone() -> None:
    assert "Überprüfung 検査" in line_for("Überprüfung 検査")


def test_each_fact_of_a_commit_is_a_line_of_its_own() -> None:
    run = execution(1, state=State.COMPLETED, pending_at=1, started_at=1, ended_at=2)
    facts = Facts([*(decision(text, message=text) for text in HOSTILE), run])
    said = JsonLines().format(logging.LogRecord("x", logging.INFO, "", 0, facts, (), None))
    lines = [json.loads(line) for line in said.splitlines()]
    assert [line.get("firingId") for line in lines] == [*HOSTILE, None]
    assert [line["action"] for line in lines] == ["decision"] * len(HOSTILE) + ["ended"]
    assert all(
        line["message"] == sentence(fact) for line, fact in zip(lines, facts.facts, strict=True)
    )


class Written(io.StringIO):
    """Knows in which pieces it was written."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def write(self, text: str, /) -> int:
        if self.closed:
            raise ValueError("closed")
        self.pieces.append(text)
        return len(text)


@pytest.fixture
def written() -> Written:
    return Written()


@pytest.fixture
def log(written: Written) -> logging.Logger:
    logger = logging.Logger("a test's own", logging.INFO)
    logger.addHandler(LinesOfATurn(written))
    return logger


async def test_what_a_turn_of_the_loop_logs_is_written_in_one_piece_when_it_is_over(
    written: Written, log: logging.Logger
) -> None:
    for text in "ab":
        log.info(text)
    assert written.pieces == []
    await asyncio.sleep(0)
    log.info("c")
    await asyncio.sleep(0)
    assert written.pieces == ["a\nb\n", "c\n"]


async def test_a_warning_waits_for_nothing_and_takes_along_what_was_said_before(
    written: Written, log: logging.Logger
) -> None:
    log.info("a")
    log.warning("b")
    assert written.pieces == ["a\nb\n"]


def test_without_a_loop_a_line_is_written_at_once(written: Written, log: logging.Logger) -> None:
    log.info("a")
    assert written.pieces == ["a\n"]


async def test_a_thread_beside_the_loop_writes_at_once(
    written: Written, log: logging.Logger
) -> None:
    log.info("a")
    thread = Thread(target=log.info, args=("b",))
    thread.start()
    thread.join()
    assert written.pieces == ["a\nb\n"]


async def test_a_log_that_nobody_reads_any_more_stops_nothing(
    written: Written, log: logging.Logger
) -> None:
    written.close()
    log.error("a")
