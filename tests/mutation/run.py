"""Makes every deliberate fault in a copy of the core and says which test catches it.

`npm run mutation [WORD ...]` tries the mutants of whose description a word is part. Exit code 1
if one survives, no longer applies, or is caught by another test than it says.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation.mutants import Mutant, all_mutants
from mutation.trial import outcome
from mutation.workbench import Workbench


def main(words: list[str]) -> int:
    """Tries the mutants that were asked for; the copy without a fault has to pass first."""
    chosen = [m for m in all_mutants() if not words or any(word in m.breaks for word in words)]
    with tempfile.TemporaryDirectory() as folder:
        bench = Workbench(Path(folder))
        whole = bench.run()
        if not whole.passed:
            sys.stdout.write(f"The core fails without a fault:\n{whole.printed}\n")
            return 1
        caught = sum(_try(bench, mutant) for mutant in chosen)
    sys.stdout.write(f"{caught} of {len(chosen)} mutants caught by the test that they name\n")
    return 0 if caught == len(chosen) else 1


def _try(bench: Workbench, mutant: Mutant) -> bool:
    as_said, line = outcome(bench, mutant)
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
    return as_said


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
