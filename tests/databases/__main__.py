"""A database for tests in other languages: `python -m databases` in `tests`.

Prints the address of one that holds nothing, in a line of its own, and is there until it is told
to stop.
"""

from __future__ import annotations

import signal
import sys
from contextlib import suppress

from databases.server import new_database

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the server goes as well
    with suppress(KeyboardInterrupt):
        sys.stdout.write(f"{new_database()}\n")
        sys.stdout.flush()
        signal.pause()
