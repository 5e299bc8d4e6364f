"""Where the bridge keeps its files, unless it is told otherwise."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

import click
from platformdirs import user_data_path


def data_folder() -> Path:
    """The platform's folder for a user's data of this program."""
    return user_data_path("schedule-bridge", appauthor=False)


def default_database() -> Path:
    """The embedded store."""
    return data_folder() / "bridge.db"


_HOST: Final = re.compile(r"(\[[\w:.%]+\]|[^\[\]:]*)(:\d{1,5})?")
_NO_DATABASE: Final = (
    "this is no address of a database, such as postgresql://USER@HOST:5432/DATABASE. In a password "
    "write %2F for /, %3F for ?, %23 for #, %40 for @, %5B for [; it is better kept in PGPASSWORD "
    "or a password file."
)


def is_database(url: str) -> bool:
    """Whether the parts of a postgresql:// URL are what they seem to be.

    A password with a character that ends a part makes another host and port of its beginning,
    which would then be shown.
    """
    try:
        parts = urlsplit(url)
        parse_qs(parts.query, strict_parsing=bool(parts.query))
    except ValueError:
        return False
    hosts = parts.netloc.rpartition("@")[2].split(",")
    after = url.partition("://")[2][len(parts.netloc) :]
    return (
        parts.netloc.count("@") <= 1
        and all(_HOST.fullmatch(host) for host in hosts)
        and not any(each in after for each in "@#")
    )


class StoreAddress(click.ParamType["str | Path"]):
    """The file of an embedded store, as a Path, or the URL of a PostgreSQL database, as a text."""

    name = "file or URL"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | Path:
        """Tells the two apart by the URL's scheme; a file may be written sqlite:PATH."""
        if isinstance(value, Path):
            return value
        if value.startswith("sqlite:"):
            return Path(value.removeprefix("sqlite:").removeprefix("//"))
        scheme, colon, _ = value.partition("://")
        if not colon:
            return Path(value)
        if scheme not in ("postgresql", "postgres"):
            self.fail(f"{scheme}:// is no store; postgresql:// is.", param, ctx)
        if not is_database(value):
            self.fail(_NO_DATABASE, param, ctx)
        return value


store_option = click.option(
    "--database",
    default=default_database,
    type=StoreAddress(),
    help="The file of the embedded store, or postgresql://USER@HOST/DATABASE.",
)

database_option = click.option(
    "--database",
    default=default_database,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file of the embedded store.",
)


def default_token_file() -> Path:
    """The token that clients on this machine find without being told."""
    return data_folder() / "token"


def address_file(token_file: Path) -> Path:
    """Where a running bridge says how to reach it; beside its token."""
    return token_file.with_name("address")


def write_address(token_file: Path, url: str) -> None:
    """Says where the bridge can be reached, to this user only."""
    path = address_file(token_file)
    passing = path.with_name(f"{path.name}.{os.getpid()}")
    passing.write_text(json.dumps({"url": url, "pid": os.getpid()}) + "\n")
    passing.chmod(0o600)
    passing.replace(path)


def read_address(token_file: Path) -> str | None:
    """Where the bridge of this token said it can be reached; None if it runs no more."""
    try:
        said = json.loads(address_file(token_file).read_text())
        return str(said["url"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def remove_address(token_file: Path) -> None:
    """The bridge is not to be reached any more."""
    address_file(token_file).unlink(missing_ok=True)
