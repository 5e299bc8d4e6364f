"""How much of payloads a scenario may print: each start repeats one, however large it is."""

from __future__ import annotations

from schedule_bridge.wire.codec import Media, encode


class PrintsTooMuch(ValueError):  # noqa: N818 - reads as what is wrong
    """The payloads of what the scenario prints are more than the caller allows."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"The payloads that this scenario prints come to more than {limit} bytes. "
            "Make them smaller, or let it end earlier."
        )


class Room:
    """Room for so many bytes of printed payloads; without a number it is endless."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit
        self._taken = 0
        self._sizes: dict[int, int] = {}

    def take(self, payload: object) -> None:
        """Counts a payload that is printed, and so kept: no other object gets its `id`.

        Raises:
            PrintsTooMuch: there is no room for it.
        """
        if self._limit is None:
            return
        if id(payload) not in self._sizes:
            self._sizes[id(payload)] = len(encode(Media.MSGPACK, payload))
        self._taken += self._sizes[id(payload)]
        if self._taken > self._limit:
            raise PrintsTooMuch(self._limit)
