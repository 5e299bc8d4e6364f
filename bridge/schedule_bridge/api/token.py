"""The bearer token: made at first start, in a file that only its owner can read."""

import os
import secrets
import stat
from pathlib import Path
from typing import Final

_MIN_LENGTH: Final = 32


class TokenError(Exception):
    """A token file that must not be used; its message is a sentence for a person."""


def read_or_make_token(path: Path) -> str:
    """The token in the file, made (0600, in a folder of 0700) if there is no file.

    Raises TokenError if others can read the file or if it holds no token.
    """
    try:
        return _make(path)
    except FileExistsError:
        return _read(path)


def _make(path: Path) -> str:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Exclusive, so that of two bridges that start at once one makes it and one reads it.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    token = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(token + "\n")
    return token


def _read(path: Path) -> str:
    with path.open("rb") as file:
        # Of the open file, so that it cannot be another one by the time it is read.
        _check_mode(path, os.fstat(file.fileno()).st_mode)
        content = file.read(4096)
    token = content.decode("ascii", errors="replace").strip()
    if len(token) < _MIN_LENGTH or not (token.isascii() and token.isprintable()):
        raise TokenError(
            f"{path} holds no token: at least {_MIN_LENGTH} printable characters are wanted. "
            "Delete it, and the bridge makes a new one."
        )
    return token


def _check_mode(path: Path, mode: int) -> None:
    # Windows keeps rights elsewhere; there the user directory's own protect the file.
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise TokenError(f"Others can read {path}. Run: chmod 600 {path}")
