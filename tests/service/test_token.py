"""The token file (security.md: no authentication, data at rest)."""

import os
import stat
from pathlib import Path

import pytest

from schedule_bridge.api.token import TokenError, read_or_make_token

posix = pytest.mark.skipif(os.name != "posix", reason="rights are kept elsewhere on Windows")


def test_the_first_start_makes_a_token_and_the_next_one_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "data" / "token"
    token = read_or_make_token(path)
    assert len(token) == 43
    assert read_or_make_token(path) == token


def test_every_token_is_another(tmp_path: Path) -> None:
    assert len({read_or_make_token(tmp_path / str(n)) for n in range(10)}) == 10


@posix
def test_the_file_and_its_folder_are_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "token"
    before = os.umask(0)
    try:
        read_or_make_token(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_file_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "token"
    read_or_make_token(path)
    path.chmod(mode)
    with pytest.raises(TokenError, match=r"Others can read .*token\. Run: chmod 600 "):
        read_or_make_token(path)


@pytest.mark.parametrize("content", ["", "short\n", "x" * 20 + " \t " + "\u00fc" * 20, "a\nb" * 20])
def test_a_file_that_holds_no_token_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "token"
    read_or_make_token(path)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TokenError, match="holds no token"):
        read_or_make_token(path)


def test_a_token_of_the_operators_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "token"
    read_or_make_token(path)
    path.write_text("  an-operators-own-token-of-some-length\n", encoding="ascii")
    assert read_or_make_token(path) == "an-operators-own-token-of-some-length"
