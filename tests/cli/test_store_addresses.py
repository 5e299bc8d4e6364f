"""An address of a database that is not what it seems is refused, and nothing of it is shown."""

from __future__ import annotations

import pytest

from schedule_bridge.cli.places import is_database

from .operator_bridge import operate

MISTAKEN = [
    "postgresql://me:s3/cret@db.example:5432/house",
    "postgresql://me:53/cret@db.example:5432/house",
    "postgresql://me:s3#cret@db.example:5432/house",
    "postgresql://me:53#cret@db.example:5432/house",
    "postgresql://me:s3?cret@db.example:5432/house",
    "postgresql://me:53?a=cret@db.example:5432/house",
    "postgresql://me:[s3cret@db.example:5432/house",
    "postgresql://me:s3@cret@db.example:5432/house",
    "postgresql://db.example:s3cret/house",
    "postgresql:///house?host=me:s3cret@db.example",
]


@pytest.mark.parametrize("url", MISTAKEN)
@pytest.mark.parametrize(
    "command",
    [
        ("serve", "--database"),
        ("doctor", "--database"),
        ("move", "sqlite:of.db"),
    ],
    ids=lambda words: words[0],
)
def test_a_password_that_ends_a_part_of_the_address_is_refused_and_not_shown(
    url: str, command: tuple[str, ...]
) -> None:
    said = operate(*command, url)
    assert said.exit_code == 2
    assert "no address of a database" in said.output
    assert not any(piece in said.output for piece in ("s3", ":53", "cret", "db.example"))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://bridge@db.example/house",
        "postgres://me:s3%2Fcr%23e%40t@db.example:5432/house?sslmode=verify-full",
        "postgresql://me@one.example:5432,two.example/house?target_session_attrs=read-write",
        "postgresql://me@[2001:db8::1]:5432/house",
        "postgresql:///house?host=/var/run/postgresql&port=5433",
        "postgresql://postgres:@/house?host=/tmp/somewhere",
        "postgresql://",
    ],
)
def test_an_address_that_is_one_is_taken(url: str) -> None:
    assert is_database(url)
