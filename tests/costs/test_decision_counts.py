"""A decision is one commit, and writes what it has to and nothing else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from engine.link import Client
from engine.rig import EVERY_TEN_SECONDS, Rig

from .counting import Ledger, Written

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

BEGIN_CLOCK_COMMIT = 3


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    it = Rig(tmp_path)
    await it.start()
    yield it
    await it.stop()


def check(written: Written, *, commits: int, statements: int, rows: int) -> None:
    """Less is fine; more has to be meant."""
    assert written.commits == commits, written
    assert written.statements <= statements + BEGIN_CLOCK_COMMIT * commits, written
    assert written.rows <= rows + commits, written  # the clock is a row of each commit


async def test_a_skip_writes_its_decision(rig: Rig) -> None:
    await rig.set()
    await rig.fire()
    with Ledger(rig).counting() as written:
        assert await rig.fire() == ["skipped"]
    check(written, commits=1, statements=1, rows=2)


async def test_a_start_writes_its_decision_its_run_and_the_fencing_token(rig: Rig) -> None:
    await rig.set()
    with Ledger(rig).counting() as written:
        assert await rig.fire() == ["started"]
    check(written, commits=1, statements=3, rows=4)


async def test_a_claim_and_an_end_write_the_run(rig: Rig) -> None:
    client = Client(rig.engine)
    await client.connect()
    await client.here({"triggerId": "t"})
    await rig.fire()
    with Ledger(rig).counting() as claim:
        run = await client.claim()
    with Ledger(rig).counting() as end:
        await client.finish(run)
    check(claim, commits=1, statements=1, rows=1)
    check(end, commits=1, statements=1, rows=1)


async def test_a_merged_tick_writes_its_decision_the_queued_run_and_the_next_tick(rig: Rig) -> None:
    client = Client(rig.engine)
    await client.connect()
    await client.here({"triggerId": "t", "schedule": EVERY_TEN_SECONDS, "overlapPolicy": "queue"})
    await rig.fire()
    await client.claim()
    await rig.fire()
    with Ledger(rig).counting() as written:
        await rig.pass_time(11)
    check(written, commits=1, statements=3, rows=4)


async def test_what_is_asked_together_is_one_commit(rig: Rig) -> None:
    await rig.set()
    with Ledger(rig).counting() as written:
        await asyncio.gather(*(rig.fire() for _ in range(20)))
    check(written, commits=1, statements=22, rows=42)


async def test_decisions_of_one_commit_stand_side_by_side_however_long_history_is(rig: Rig) -> None:
    await rig.set()
    for _ in range(10):
        await asyncio.gather(*(rig.fire() for _ in range(300)))
    with Ledger(rig).pages() as pages:
        await asyncio.gather(*(rig.fire() for _ in range(20)))
    assert pages[0] <= 17, pages


async def test_a_claim_and_an_end_change_the_run_in_place_however_many_there_were(rig: Rig) -> None:
    await rig.set(overlapPolicy="allow", maxConcurrent=999)
    for _ in range(3):
        await asyncio.gather(*(rig.fire() for _ in range(300)))
    run = list((await rig.active()).values())[450]
    await rig.pass_time(1)
    with Ledger(rig).pages() as claim:
        await rig.claim(run)
    await rig.pass_time(1)
    with Ledger(rig).pages() as end:
        await rig.finish(run)
    assert claim[0] <= 2, claim  # its own page and that of the clock
    assert end[0] <= 4, end  # and those of the indexes of what is active and of what has ended


async def test_a_claim_shares_the_commit_of_what_was_asked_before_it(rig: Rig) -> None:
    await rig.set(overlapPolicy="allow", maxConcurrent=3)
    await rig.fire()
    (run,) = (await rig.active()).values()
    with Ledger(rig).counting() as written:
        await asyncio.gather(rig.fire(), rig.claim(run))
    assert written.commits == 1
