"""Frames reach a peer whole and in order, those that came together in one piece."""

import asyncio

from aiohttp import ClientSession, web

from schedule_bridge.api.stream.outgoing import Outgoing
from schedule_bridge.wire.codec import Media, decode

SIZES = (0, 124, 125, 126, 65_533, 65_534, 65_535, 65_536, 200_000)
"""Of a text, so that its frame is on either side of each length of a header."""


class Taken:
    """A peer's end of the pieces, which takes none before it is told to."""

    def __init__(self) -> None:
        self.pieces: list[bytearray] = []
        self.ready = asyncio.Event()

    async def take(self, piece: bytearray) -> None:
        self.pieces.append(piece)
        await self.ready.wait()


async def told(outgoing: Outgoing, texts: list[str]) -> None:
    for text in texts:
        outgoing.put({"text": text})
    outgoing.end()
    await outgoing.write()


async def test_what_comes_together_is_written_in_one_piece() -> None:
    taken = Taken()
    taken.ready.set()
    await told(Outgoing(Media.JSON, taken.take), ["a"] * 100)
    assert len(taken.pieces) == 1


async def test_a_piece_is_bounded() -> None:
    taken = Taken()
    taken.ready.set()
    await told(Outgoing(Media.JSON, taken.take), ["x" * 1000] * 1000)
    assert max(map(len, taken.pieces)) < 128 * 1024


async def test_what_comes_while_a_piece_is_on_its_way_waits_for_its_turn() -> None:
    taken = Taken()
    outgoing = Outgoing(Media.JSON, taken.take)
    outgoing.put({"text": "first"})
    writing = asyncio.create_task(outgoing.write())
    await asyncio.sleep(0)
    outgoing.put({"text": "second"})
    await asyncio.sleep(0)
    assert (len(taken.pieces), len(outgoing)) == (1, 1)
    assert outgoing.writing_since is not None
    taken.ready.set()
    outgoing.end()
    await writing
    assert (len(taken.pieces), len(outgoing)) == (2, 0)


async def read_by_a_peer(media: Media, texts: list[str]) -> list[object]:
    """What a real WebSocket hears of frames with these texts."""

    async def tell(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)

        async def write(piece: bytearray) -> None:
            assert request.transport is not None
            request.transport.write(piece)
            await request.writer.drain()

        await told(Outgoing(media, write), texts)
        await socket.close()
        return socket

    app = web.Application()
    app.router.add_get("/", tell)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = "http://{}:{}/".format(*runner.addresses[0])
        async with ClientSession() as session, session.ws_connect(url) as socket:
            return [
                decode(media, each.data.encode() if isinstance(each.data, str) else each.data)
                async for each in socket
            ]
    finally:
        await runner.cleanup()


async def test_a_peer_reads_frames_of_every_length_of_header_in_json() -> None:
    texts = ["x" * size for size in SIZES]
    assert await read_by_a_peer(Media.JSON, texts) == [{"text": text} for text in texts]


async def test_a_peer_reads_frames_of_every_length_of_header_in_messagepack() -> None:
    texts = ["x" * size for size in SIZES]
    assert await read_by_a_peer(Media.MSGPACK, texts) == [{"text": text} for text in texts]
