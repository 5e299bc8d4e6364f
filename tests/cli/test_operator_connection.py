"""How commands find the bridge, and what they say if they do not."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from schedule_bridge.api.token import read_or_make_token
from schedule_bridge.cli.connecting import connect
from schedule_bridge.cli.places import address_file

from .operator_bridge import RunningBridge, operate, running_bridge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOBODY = "http://127.0.0.1:1"


@pytest.fixture(scope="module")
def bridge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBridge]:
    with running_bridge(tmp_path_factory.mktemp("bridge")) as it:
        yield it


class _Stranger(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<h1>It works!</h1>")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        pass


@contextmanager
def _stranger() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Stranger) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_the_address_beside_the_token_leads_to_the_bridge(bridge: RunningBridge) -> None:
    assert bridge.run("status").exit_code == 0
    named = operate("status", "--token-file", str(bridge.token_file))
    assert named.exit_code == 0


def test_a_url_goes_before_the_address(bridge: RunningBridge) -> None:
    for said in (
        bridge.run("status", "--url", NOBODY),
        bridge.run("status", SCHEDULE_BRIDGE_URL=NOBODY),
    ):
        assert said.exit_code == 1
        assert f"No bridge answers at {NOBODY} (Connection refused)." in said.stderr


def test_of_several_urls_the_first_that_answers_is_asked(bridge: RunningBridge) -> None:
    said = bridge.run("status", SCHEDULE_BRIDGE_URL=f"{NOBODY}, {bridge.url}/")
    assert said.exit_code == 0


def test_a_token_in_the_environment_goes_before_the_file(
    bridge: RunningBridge, tmp_path: Path
) -> None:
    token = bridge.token_file.read_text()
    elsewhere = str(tmp_path / "token")
    said = operate(
        "status", "--url", bridge.url, "--token-file", elsewhere, SCHEDULE_BRIDGE_TOKEN=token
    )
    assert said.exit_code == 0


@pytest.mark.parametrize("token", ["another", "töken", "two\nlines"])
def test_another_token_is_refused_in_words(bridge: RunningBridge, token: str) -> None:
    said = bridge.run("status", SCHEDULE_BRIDGE_TOKEN=token)
    assert said.exit_code == 1
    assert "SCHEDULE_BRIDGE_TOKEN" in said.stderr
    assert said.stdout == ""


def test_without_a_token_it_is_said_how_to_get_one_and_none_is_made(tmp_path: Path) -> None:
    said = operate("status", "--token-file", str(tmp_path / "token"))
    assert said.exit_code == 1
    assert "Start one with `schedule-bridge serve`" in said.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_token_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text("t" * 40)
    token_file.chmod(0o644)
    said = operate("status", "--token-file", str(token_file))
    assert (said.exit_code, "chmod 600" in said.stderr) == (1, True)


def test_a_bridge_that_was_killed_is_said_not_to_answer(tmp_path: Path) -> None:
    with running_bridge(tmp_path) as bridge:
        bridge.process.kill()
        bridge.process.wait()
        said = bridge.run("status")
    assert said.exit_code == 1
    assert f"No bridge answers at {bridge.url}" in said.stderr


def test_an_address_that_cannot_be_read_is_as_good_as_none(tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    read_or_make_token(token_file)
    for content in ("", "[]", '{"pid": 1}'):
        address_file(token_file).write_text(content)
        assert connect((), token_file).urls == ("http://127.0.0.1:8765",)


def test_something_else_that_answers_is_no_bridge(bridge: RunningBridge) -> None:
    with _stranger() as url:
        said = bridge.run("status", "--url", url)
    assert (said.exit_code, said.stderr) == (1, f"What answers at {url} is no bridge.\n")


def test_no_proxy_is_asked(bridge: RunningBridge) -> None:
    assert bridge.run("status", http_proxy=NOBODY, HTTP_PROXY=NOBODY).exit_code == 0


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "127.0.0.1:8765", "http://", "http://a:b"])
def test_a_url_that_is_none_is_bad_usage(bridge: RunningBridge, url: str) -> None:
    said = bridge.run("status", "--url", url)
    assert said.exit_code == 2
    assert "is no address such as http://127.0.0.1:8765" in said.stderr


def test_a_bridge_bound_to_every_address_is_found_on_the_loopback(tmp_path: Path) -> None:
    with running_bridge(tmp_path, host="0.0.0.0") as bridge:  # noqa: S104 - for a moment
        assert json.loads(bridge.run("status", "--json").stdout)["triggers"] == []
        assert bridge.url.startswith("http://127.0.0.1:")
