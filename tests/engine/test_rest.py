"""A bridge at rest sleeps: it wakes to look at the wall clock, and for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .rig import Rig

IN_A_MONTH = {"kind": "interval", "every": 30 * 86_400}
_PRUNES_EVERY_SECONDS = 300


async def test_with_nothing_due_it_wakes_four_times_a_minute(rig: Rig) -> None:
    for number in range(3):
        await rig.set(f"t{number}", schedule=IN_A_MONTH)
    await rig.pass_time(60)
    before = rig.clock.rung
    await rig.pass_time(_PRUNES_EVERY_SECONDS)
    assert rig.clock.rung - before == _PRUNES_EVERY_SECONDS // 15 + 1


async def test_what_it_is_asked_meanwhile_moves_no_look(rig: Rig) -> None:
    await rig.set(schedule=IN_A_MONTH)
    await rig.pass_time(7)
    await rig.fire()
    before = rig.clock.rung
    await rig.pass_time(23)
    assert rig.clock.rung - before == 1 + 2  # news, and the looks at 15 and 30 s
