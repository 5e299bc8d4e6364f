"""What the server, its driver and the network say of a fault, as a sentence for people.

Nothing of the driver's is repeated but what the server says; an address may hold a password.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import asyncpg

from schedule_bridge.store.errors import DamagedStoreError, StaleEpochError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

FAULTS: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    asyncio.TimeoutError,
)

_GOES_ON: Final = "a bridge that runs goes on by itself."
_AWAY: Final = "The database {name} cannot be reached ({error}). See that it runs; " + _GOES_ON
_SENTENCES: Final = {
    "3D000": "There is no database {name}. Make it, as docs/operations.md says.",
    "28": "The database {name} lets nobody in with these words: {error}. See the user and the "
    "password in --database, PGPASSWORD or the password file.",
    "42501": "The role of the bridge may not do what it has to in {name}: {error}. "
    "docs/operations.md says which rights it needs.",
    "53100": "There is no room for the database {name}: the disk is full. Make room on it; "
    + _GOES_ON,
    "53300": "The database {name} takes no more connections ({error}). Raise its max_connections, "
    "or run fewer bridges; " + _GOES_ON,
    "25006": "The database {name} cannot be written: it is read-only, perhaps a standby. Name the "
    "primary, such as with target_session_attrs=read-write; " + _GOES_ON,
    "57014": "The database {name} took too long ({error}). See what it is busy with; " + _GOES_ON,
    "55P03": "The database {name} took too long ({error}). See what holds the lock; " + _GOES_ON,
    "57P": _AWAY,
    "08": _AWAY,
    "SB002": "A trigger of that id belongs to another workspace of {name}. Remove it there first.",
}
_MISTAKEN: Final = (
    "An option in the address of the database {name}, or in a PG... variable, is not understood. "
    "PostgreSQL's documentation of connection strings says which there are."
)
_DAMAGED: Final = (
    "The database {name} is damaged: {error}. Stop the bridges, keep a copy, and put a backup in "
    "its place."
)
_STALE: Final = (
    "Another bridge owns what was to be written to {name}, or the lease on it has run out. "
    "Nothing was written."
)


def told(error: BaseException, name: str) -> StoreError:
    """The error of the store in the database of that name that lies behind a fault."""
    if isinstance(error, asyncpg.PostgresError):
        return _told_by_server(error, name)
    if isinstance(error, asyncpg.ClientConfigurationError):
        return StoreError(_MISTAKEN.format(name=name))
    if isinstance(error, TimeoutError):
        said = "it does not answer"
    elif isinstance(error, asyncpg.InterfaceError):
        said = "the connection is lost"
    elif isinstance(error, OSError):
        said = error.strerror or "no connection"
    else:
        return StoreError(f"The database {name} failed: {type(error).__name__}.")
    return StoreError(_AWAY.format(name=name, error=said))


def unreadable(name: str, what: object) -> DamagedStoreError:
    """The database holds something that cannot be read."""
    return DamagedStoreError(_DAMAGED.format(name=name, error=f"a row cannot be read ({what})"))


def _told_by_server(error: asyncpg.PostgresError, name: str) -> StoreError:
    code = error.sqlstate or ""
    make: Callable[[str], StoreError] = StoreError
    sentence = _sentence(code)
    if code == "SB001":
        make, sentence = StaleEpochError, _STALE
    elif code.startswith("XX"):
        make, sentence = DamagedStoreError, _DAMAGED
    return make(sentence.format(name=name, error=_first_line(error)))


def _sentence(code: str) -> str:
    for start, sentence in _SENTENCES.items():
        if code.startswith(start):
            return sentence
    return "The database {name} failed: {error}."


def _first_line(error: asyncpg.PostgresError) -> str:
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0]
