"""The decoders under bytes that once meant something: valid bodies, changed at random places."""

from __future__ import annotations

import json
import random
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schedule_bridge.wire.codec import Media, decode, encode
from schedule_bridge.wire.faults import WireError
from schedule_bridge.wire.schemas import validate

if TYPE_CHECKING:
    from collections.abc import Callable

_SCENARIOS = Path(__file__).parents[1] / "scenarios"
_LONGEST = 64 * 1024
_CPU_SECONDS = 2
"""How long one body may take. Most take less than a thousandth of it."""
_MEMORY_BYTES = 64 * 1024 * 1024
_BATCH = 500

TRIGGER: dict[str, Any] = {
    "triggerId": "8b2f",
    "schedule": {"kind": "interval", "every": 600, "anchor": "2026-01-01T00:00:00Z"},
    "overlapPolicy": "skip",
    "lockKeys": ["a", "ü"],
    "delaySeconds": 0.5,
    "payload": {"$base64": "AP8=", "deep": [{"n": -1}, [None, True, 2**62]]},
    "on": ["pushed"],
    "where": {"properties": {"n": {"type": "integer", "minimum": 0}}},
}
FIRE = {"payload": {"image": {"$base64": "AP8="}}, "lockKey": "owner/repo:issue:1", "priority": 1}
HERE = {"type": "here", "id": 1, "triggers": [TRIGGER], "runs": ["x"]}
_PIECES = (
    *(b"\xc0\xc1\xc4\xc7\xd4\xd9\xdc\xdd\xde\xdf\xca\xcb\xcf\xd3"[i : i + 1] for i in range(14)),
    *(b"\xdd\xff\xff\xff\xff", b"\xdf\x00\x01\x86\xa0", b"\xd6\xff", b"\xc7\x0c\xff", b"\x91" * 99),
    *(b"[" * 99, b'{"a":' * 40, b"1e999", b"-0", b"NaN", b"9" * 400, b"\\ud800", b"\\u0000"),
    *(b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\0", b'"', b"{", b"}", b",", b"\xff"),
)


@dataclass(slots=True)
class Decoded:
    """How far a run got: bodies tried, and what became of them."""

    bodies: int = 0
    values: int = 0
    refused: int = 0
    most_memory: int = 0


def fuzz_decoders(seconds: float, seed: int) -> Decoded:
    """Decodes and validates changed bodies for so long; AssertionError if a bound is broken."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    seeds = _valid_bodies()
    reached = Decoded()
    until = time.monotonic() + seconds
    tracemalloc.start()
    try:
        while time.monotonic() < until:
            _batch(chance, seeds, reached)
    finally:
        tracemalloc.stop()
    return reached


def _batch(chance: random.Random, seeds: list[tuple[Media, str, bytes]], reached: Decoded) -> None:
    for _ in range(_BATCH):
        media, schema, valid = chance.choice(seeds)
        body = _changed(chance, valid, chance.choice(seeds)[2])
        tracemalloc.reset_peak()
        before, started = tracemalloc.get_traced_memory()[0], time.process_time()
        _try(media, schema, body, reached)
        taken = tracemalloc.get_traced_memory()[1] - before
        assert time.process_time() - started < _CPU_SECONDS, (media, schema, body)
        assert taken < _MEMORY_BYTES, (media, schema, body)
        reached.most_memory = max(reached.most_memory, taken)


def _try(media: Media, schema: str, body: bytes, reached: Decoded) -> None:
    """Decodes as a request is; whatever is let in can be told again, in both forms."""
    reached.bodies += 1
    try:
        value = decode(media, body)
    except WireError:
        reached.refused += 1
        return
    except BaseException as error:
        error.add_note(f"{media} {body!r}")
        raise
    reached.values += 1
    for fault in validate(schema, value):
        assert len(encode(Media.JSON, fault.as_value())) < 32 * 1024
    for form in Media:
        encode(form, value)


def _valid_bodies() -> list[tuple[Media, str, bytes]]:
    scenarios = [json.loads(path.read_text()) for path in sorted(_SCENARIOS.glob("*.json"))]
    values: list[tuple[str, Any]] = [("trigger", TRIGGER), ("fire", FIRE)] * 20
    values += [("frame-from-client", HERE)] * 20
    values += [("scenario", each["scenario"]) for each in scenarios]
    return [(media, name, encode(media, value)) for name, value in values for media in Media]


def _changed(chance: random.Random, body: bytes, other: bytes) -> bytes:
    for _ in range(chance.randint(1, 6)):
        body = chance.choice(_CHANGES)(chance, body, other)[:_LONGEST]
    return body


def _flip(chance: random.Random, body: bytes, _other: bytes) -> bytes:
    at = chance.randrange(len(body) or 1)
    return body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :]


def _insert(chance: random.Random, body: bytes, _other: bytes) -> bytes:
    at = chance.randint(0, len(body))
    return body[:at] + chance.choice(_PIECES) * chance.choice((1, 1, 1, 50)) + body[at:]


def _cut(chance: random.Random, body: bytes, _other: bytes) -> bytes:
    first, last = sorted(chance.randint(0, len(body)) for _ in range(2))
    return body[:first] + body[last:]


def _repeat(chance: random.Random, body: bytes, _other: bytes) -> bytes:
    first, last = sorted(chance.randint(0, len(body)) for _ in range(2))
    return body[:last] + body[first:last] * chance.choice((1, 3, 100)) + body[last:]


def _splice(chance: random.Random, body: bytes, other: bytes) -> bytes:
    return body[: chance.randint(0, len(body))] + other[chance.randint(0, len(other)) :]


_CHANGES: tuple[Callable[[random.Random, bytes, bytes], bytes], ...] = (
    _flip,
    _insert,
    _cut,
    _repeat,
    _splice,
)
