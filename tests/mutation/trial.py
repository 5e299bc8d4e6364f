"""What comes of a deliberate fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .mutants import DoesNotApply

if TYPE_CHECKING:
    from .mutants import Mutant
    from .workbench import Workbench


def outcome(bench: Workbench, mutant: Mutant) -> tuple[bool, str]:
    """Whether the mutant is caught as it says, and what came of it in a line for a person."""
    try:
        with bench.with_fault(mutant):
            if bench.run(mutant.test).failed:
                return True, f"caught    {mutant.breaks}\n          by {mutant.caught_by}"
            found = bench.run()
    except DoesNotApply as why:
        return False, f"OUTDATED  {why}"
    if found.failed:
        return (
            False,
            f"MISNAMED  {mutant.breaks}\n          not by {mutant.caught_by}, by {found.by}",
        )
    return False, f"SURVIVED  {mutant.breaks}"
