"""What can be wrong with something that arrived on the wire."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Path = tuple[str | int, ...]
"""The member names and list positions that lead from the root of a value to a part of it."""

ROOT: Final[Path] = ()

MAX_FAULTS: Final = 20
"""How many faults of one body are told."""

_LONGEST_POINTER: Final = 4096


class WireCode(StrEnum):
    """Stable words for why bytes were refused before any schema was asked."""

    MALFORMED_JSON = "malformed-json"
    MALFORMED_MSGPACK = "malformed-msgpack"
    MALFORMED_UTF8 = "malformed-utf-8"
    TOO_DEEP = "too-deep"
    TOO_MANY_VALUES = "too-many-values"
    NUMBER_OUT_OF_RANGE = "number-out-of-range"
    NOT_FINITE = "not-finite"
    LONE_SURROGATE = "lone-surrogate"
    NUL_CHARACTER = "nul-character"
    KEY_NOT_TEXT = "key-not-text"
    KEY_NOT_SAFE = "key-not-safe"
    BYTES_OUTSIDE_PAYLOAD = "bytes-outside-payload"
    BAD_BASE64 = "bad-base64"
    UNKNOWN_EXTENSION = "unknown-extension"
    BAD_TIMESTAMP = "bad-timestamp"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: a JSON pointer into the value and a sentence for a person."""

    pointer: str
    message: str

    def as_value(self) -> dict[str, str]:
        """As it stands in an `errors` list."""
        return {"pointer": self.pointer, "message": self.message}


class WireError(Exception):
    """Bytes that are refused at the edge: a stable code, a sentence, a JSON pointer."""

    def __init__(self, code: WireCode, sentence: str, path: Path = ROOT) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.pointer = pointer_to(path)


def pointer_to(path: Path) -> str:
    """The JSON pointer (RFC 6901) of a path, or of the deepest part above it that has a short one.

    An answer would otherwise repeat a name as long as the body, once for each fault.
    """
    pointer = ""
    for part in path:
        longer = f"{pointer}/{str(part).replace('~', '~0').replace('/', '~1')}"
        if len(longer) > _LONGEST_POINTER:
            break
        pointer = longer
    return pointer
