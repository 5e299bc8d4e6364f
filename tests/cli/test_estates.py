"""Where the other bridges of a shared store reach a bridge."""

from __future__ import annotations

import pytest

from schedule_bridge.cli.estates import AddressError, own_address


def test_an_address_that_is_given_counts() -> None:
    assert own_address("http://bridge-1:8765/", "0.0.0.0", 8765) == "http://bridge-1:8765"  # noqa: S104
    assert own_address("https://[fd00::1]:8765", "127.0.0.1", 0) == "https://[fd00::1]:8765"


def test_else_it_is_that_of_the_socket() -> None:
    assert own_address(None, "10.0.0.2", 8765) == "http://10.0.0.2:8765"
    assert own_address(None, "fd00::1", 8765) == "http://[fd00::1]:8765"


@pytest.mark.parametrize(("host", "port"), [("0.0.0.0", 8765), ("::", 8765), ("127.0.0.1", 0)])  # noqa: S104
def test_a_socket_that_tells_nobody_where_it_is_wants_to_be_told(host: str, port: int) -> None:
    with pytest.raises(AddressError, match="Say with --address"):
        own_address(None, host, port)


@pytest.mark.parametrize(
    "given",
    ["bridge-1:8765", "ftp://b", "http://", "http://b/x", "http://b:0", "http://u@b", "http://[b"],
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(AddressError, match="with no path, not"):
        own_address(given, "127.0.0.1", 8765)
