"""Which values are let in: shallow, few, storable, and bytes in payloads only.

The same walk turns values into the form that the rest of the bridge sees: a payload keeps its
bytes and dates; anywhere else a date becomes RFC 3339 text, so that a schema sees one form.
"""

import base64
import binascii
import math
from datetime import datetime
from typing import Final

from schedule_bridge.wire.faults import ROOT, Fault, Path, WireCode, WireError
from schedule_bridge.wire.times import format_moment

MAX_DEPTH: Final = 32
MAX_VALUES: Final = 100_000
MIN_INTEGER: Final = -(2**63)
MAX_INTEGER: Final = 2**63 - 1
BASE64_KEY: Final = "$base64"
UNSAFE_KEY: Final = "__proto__"
"""No JavaScript client can read it from MessagePack, so it could never be told of its run."""
PAYLOAD_KEY: Final = "payload"
CONDITION_KEY: Final = "where"


def admit(value: object, *, reads_base64: bool) -> object:
    """The value, made ready for the schemas; raises WireError at its first unfit part.

    A member named `payload` begins a payload, but not within a `where`. With `reads_base64`,
    `{"$base64": text}` in a payload becomes bytes; a form that carries bytes leaves it alone.
    """
    return _Walk(reads_base64=reads_base64).visit(value, ROOT, in_payload=False)


class Unfit(dict[str, object]):
    """Stands for a trigger's configuration that was not let in; its id is kept if it has one."""

    def __init__(self, given: object, error: WireError) -> None:
        trigger_id = given.get("triggerId") if isinstance(given, dict) else None
        super().__init__({"triggerId": trigger_id} if _is_fit_text(trigger_id) else {})
        self.fault = Fault(error.pointer, error.sentence)


def admit_frame(value: object, *, reads_base64: bool) -> object:
    """As `admit`, but each of the `triggers` is let in or not by itself."""
    if not isinstance(value, dict) or not isinstance(value.get("triggers"), list):
        return admit(value, reads_base64=reads_base64)
    triggers = value.pop("triggers")
    admitted = admit(value, reads_base64=reads_base64)
    assert isinstance(admitted, dict)  # noqa: S101 - it was one
    admitted["triggers"] = [_admit_trigger(each, reads_base64=reads_base64) for each in triggers]
    return admitted


def _admit_trigger(given: object, *, reads_base64: bool) -> object:
    try:
        return admit(given, reads_base64=reads_base64)
    except WireError as error:
        return Unfit(given, error)


def _is_fit_text(value: object) -> bool:
    try:
        return isinstance(value, str) and _admit_text(value, ROOT) == value
    except WireError:
        return False


class _Walk:
    """One walk over one value; counts what it has seen."""

    def __init__(self, *, reads_base64: bool) -> None:
        self._left = MAX_VALUES
        self._reads_base64 = reads_base64

    def visit(self, value: object, path: Path, *, in_payload: bool) -> object:
        self._left -= 1
        if self._left < 0:
            raise WireError(
                WireCode.TOO_MANY_VALUES, f"There are more than {MAX_VALUES} values.", path
            )
        match value:
            case str():
                return _admit_text(value, path)
            case None | bool():
                return value
            case int():
                return _admit_integer(value, path)
            case float():
                return _admit_float(value, path)
            case dict() | list():
                return self._visit_container(value, path, in_payload=in_payload)
            case _:
                return _admit_native(value, path, in_payload=in_payload)

    def _visit_container(
        self, value: dict[object, object] | list[object], path: Path, *, in_payload: bool
    ) -> object:
        if len(path) >= MAX_DEPTH:
            raise WireError(
                WireCode.TOO_DEEP, f"Values are nested more than {MAX_DEPTH} deep.", path
            )
        if isinstance(value, list):
            return [
                self.visit(item, (*path, position), in_payload=in_payload)
                for position, item in enumerate(value)
            ]
        if in_payload and self._reads_base64 and value.keys() == {BASE64_KEY}:
            return _read_base64(value[BASE64_KEY], path)
        return {
            self._key(key, path): self.visit(
                item, (*path, str(key)), in_payload=in_payload or _begins_payload(key, path)
            )
            for key, item in value.items()
        }

    def _key(self, key: object, path: Path) -> str:
        if not isinstance(key, str):
            raise WireError(WireCode.KEY_NOT_TEXT, "Names of members must be text.", path)
        if key == UNSAFE_KEY:
            raise WireError(
                WireCode.KEY_NOT_SAFE, f'A member must not be named "{UNSAFE_KEY}".', path
            )
        return _admit_text(key, path)


def _begins_payload(key: object, path: Path) -> bool:
    # A condition may speak of a payload's member of that name; it holds no payload.
    return key == PAYLOAD_KEY and CONDITION_KEY not in path


def _admit_text(text: str, path: Path) -> str:
    if "\0" in text:
        raise WireError(WireCode.NUL_CHARACTER, "Text must not contain a NUL character.", path)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise WireError(
                WireCode.LONE_SURROGATE, "Text must not contain half a surrogate pair.", path
            ) from None
    return text


def _admit_integer(number: int, path: Path) -> int:
    if not MIN_INTEGER <= number <= MAX_INTEGER:
        raise WireError(
            WireCode.NUMBER_OUT_OF_RANGE, "A whole number must fit into 64 bits, signed.", path
        )
    return number


def _admit_float(number: float, path: Path) -> float:
    if not math.isfinite(number):
        raise WireError(WireCode.NOT_FINITE, "A number must be finite.", path)
    return number


def _admit_native(value: object, path: Path, *, in_payload: bool) -> object:
    # What is left of what the codecs make: bytes and dates.
    if in_payload:
        return value
    if isinstance(value, datetime):
        return format_moment(value)
    raise WireError(
        WireCode.BYTES_OUTSIDE_PAYLOAD, "Binary data is allowed in a payload only.", path
    )


def _read_base64(text: object, path: Path) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except (binascii.Error, ValueError):
        raise WireError(
            WireCode.BAD_BASE64, f'The text of "{BASE64_KEY}" must be base64.', path
        ) from None
