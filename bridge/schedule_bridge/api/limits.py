"""How much a peer may take up: bytes, time, connections."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the transport; durations in seconds.

    `keep_alive` also bounds how long the headers of a request may take, counted from the
    connection or the answer before. What is under way at a stop has `shutdown_seconds` twice:
    aiohttp waits as long again once it has cancelled. The last ones are those of the stream: a
    peer that leaves two pings unanswered, or with more than `frames_queued` waiting leaves one
    frame unread for `frame_seconds` or is behind for `behind_seconds`, is dropped.
    """

    body_bytes: int = 1024 * 1024
    body_seconds: float = 15
    keep_alive: float = 15
    unread_body_seconds: float = 2
    connections: int = 512
    header_line_bytes: int = 8190
    headers: int = 64
    shutdown_seconds: float = 1
    hello_seconds: float = 10
    goodbye_seconds: float = 5
    ping_every: float = 15
    takeover_ping_seconds: float = 5
    frames_queued: int = 10_000
    frame_seconds: float = 5
    behind_seconds: float = 60
    frame_bytes: int = 8 * 1024 * 1024


LIMITS: Final = web.AppKey("limits", Limits)
