"""Exchanges on one connection, as bytes in pieces: plain requests that decide, and crooked ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from service.edge import TOKEN

if TYPE_CHECKING:
    from random import Random

_LONGEST: Final = 10
_PLAIN_OF_ALL: Final = 0.8
_SPLIT, _JOINED = 0.15, 0.3
_PATHS: Final = ("triggers/t/fire", "triggers/u/fire", "triggers/u/resume")
_FIRE: Final = "POST /v1/triggers/u/fire HTTP/1.1"
_FIRST_LINES: Final = (
    *(_FIRE.replace("HTTP/1.1", each) for each in ("HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "http/1.1")),
    *(_FIRE.replace("POST", each) for each in ("post", "PUT", "CONNECT", " POST", "POST ")),
    *(_FIRE.replace("/v1", each, 1) for each in ("http://127.0.0.1/v1", "//v1", "/v1/../v1")),
    *(_FIRE.replace("/u/", f"/{each}/") for each in ("%75", "u/../t", "unknown", "x" * 256)),
    *(_FIRE.replace("/fire", each) for each in ("/fire#x", "/fire?x", "/burn", "/fire/")),
    *(f"{each}{_FIRE}" for each in ("\r\n", "\r\n\r\n", "\n", "POST / HTTP/1.1\r\n")),
    *("POST /v1/executions/a~b/finished HTTP/1.1", "GET /v1/triggers HTTP/1.1", f"{_FIRE} "),
    f"POST /v1/executions/{'x' * 256}/started HTTP/1.1",
)
_LENGTH: Final = "Content-Length: 2"
_CHANGED: Final = {
    _LENGTH: (
        *("content-length:2", "Content-Length: +2", "Content-Length: 0x2", "Content-Length: 2, 2"),
        *(f"{_LENGTH}\r\n{_LENGTH}", f"{_LENGTH}\r\nContent-Length: 3", "Content-Length : 2"),
        *("Content-Length: 0", "Content-Length: 1", "Content-Length: 3", "X: y"),
        *("Transfer-Encoding: chunked", f"{_LENGTH}\r\nTransfer-Encoding: chunked"),
        "Transfer-Encoding: gzip, chunked",
    ),
    "Host: ": (
        *("Host: evil.", "HOST:   ", "Host: a\r\nHost: ", "X: "),
        *("X: a\r\n b\r\nHost: ", "X: a\n b\nHost: ", "X: a\nHost: ", "X: a\0b\r\nHost: "),
        *("X: \xe4\r\nHost: ", f"X: {'x' * 9000}\r\nHost: ", "X: 1\r\n" * 70 + "Host: "),
    ),
    "Authorization: Bearer ": (
        *("Authorization: bearer  ", "Authorization: Basic ", "Authorization: Bearer x"),
        *("Authorization: Bearer\t", "X-Authorization: Bearer "),
    ),
    "application/json": ("application/json; charset=utf-8", "application/msgpack", "text/plain"),
    "\r\n\r\n": (
        *("\n\n", "\r\n\n", "\r\nOrigin: https://evil.test\r\n\r\n", "\r\nUpgrade: h2c\r\n\r\n"),
        *("\r\nIdempotency-Key: k\r\n\r\n", "\r\nConnection: keep-alive\r\n\r\n"),
        *("\r\nConnection: close\r\n\r\n", "\r\nAccept: text/html;q=1, */*;q=0\r\n\r\n"),
        *("\r\nExpect: 100-continue\r\n\r\n", "\r\nExpect: more\r\n\r\n"),
        *("\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", "\r\nAccept: */*\r\n\r\n"),
        "\r\nContent-Encoding: gzip\r\n\r\n",
    ),
}
_BODIES: Final = ("[]", "{", "{}{}", "", "\0\0", "{}\r\n", "2\r\n{}\r\n0\r\n\r\n")


def make_exchange(random: Random, port: int) -> list[bytes]:
    """What is written on one connection, piece by piece; the last request ends it.

    Up to ten requests, most of them alike; a piece may hold several or a part of one.
    """
    requests = [_make_request(random, port) for _ in range(random.randint(2, _LONGEST))]
    last = _plain("GET /healthz HTTP/1.1", "", port)
    requests.append(last.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"))
    return [each.encode("latin-1") for each in _in_pieces(random, requests) if each]


def _plain(first_line: str, body: str, port: int) -> str:
    return (
        f"{first_line}\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )


def _make_request(random: Random, port: int) -> str:
    plain = _plain(f"POST /v1/{random.choice(_PATHS)} HTTP/1.1", "{}", port)
    if random.random() < _PLAIN_OF_ALL:
        return plain
    match random.choice(("line", "head", "body")):
        case "line":
            return _plain(random.choice(_FIRST_LINES), "{}", port)
        case "head":
            old = random.choice(list(_CHANGED))
            return plain.replace(old, random.choice(_CHANGED[old]), 1)
        case _:
            return plain.removesuffix("{}") + random.choice(_BODIES)


def _in_pieces(random: Random, requests: list[str]) -> list[str]:
    pieces = [""]
    for request in requests:
        how = random.random()
        if how < _SPLIT:
            cut = random.randrange(len(request))
            pieces += [request[:cut], request[cut:]]
        elif how < _JOINED:
            pieces[-1] += request
        else:
            pieces.append(request)
    return pieces
