"""`schedule-bridge history`: the latest decisions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from .operator_bridge import RunningBridge, running_bridge
from .operator_past import Past, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.testing import Result


@pytest.fixture(scope="module")
def bridge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBridge]:
    past = Past()
    past.trigger("one", "images")
    past.trigger("two", "invoices")
    past.started("one", 0, "7f3a000000000000")
    past.started("two", 5, "91bc000000000000")
    past.skipped("one", 10, "7f3a000000000000", "Skipped: \x1b[31mrun 7f3a is active.")
    past.started("removed", 20, "aaaa000000000000")
    with running_bridge(tmp_path_factory.mktemp("bridge"), past.batch) as it:
        yield it


def _triggers(said: Result) -> list[str]:
    """The triggers of the rows, from top to bottom."""
    assert said.exit_code == 0, said.stderr
    return [line.split()[2] for line in said.stdout.splitlines()[2:]]


def test_the_newest_decision_is_last(bridge: RunningBridge) -> None:
    assert _triggers(bridge.run("history")) == ["images", "invoices", "images", "removed"]


def test_a_decision_is_shown_with_its_sentence_and_run(bridge: RunningBridge) -> None:
    row = bridge.run("history").stdout.splitlines()[2]
    assert "  Started: run 7f3a." in row
    assert row.endswith("  7f3a")


def test_one_trigger_can_be_asked_for(bridge: RunningBridge) -> None:
    assert _triggers(bridge.run("history", "images")) == ["images", "images"]


def test_one_that_was_removed_is_known_by_its_whole_id(bridge: RunningBridge) -> None:
    assert _triggers(bridge.run("history", "removed")) == ["removed"]
    never = bridge.run("history", "never")
    assert (never.exit_code, never.stdout) == (1, "")
    assert never.stderr == "No trigger is called never, and no trigger's id ends so.\n"


def test_the_limit_keeps_the_newest(bridge: RunningBridge) -> None:
    assert _triggers(bridge.run("history", "--limit", "2")) == ["images", "removed"]


def test_what_is_older_can_be_left_out(bridge: RunningBridge) -> None:
    assert _triggers(bridge.run("history", "--since", text_of(10))) == ["images", "removed"]
    later = bridge.run("history", "--since", text_of(21))
    assert (later.exit_code, later.stdout) == (0, "Nothing has been decided.\n")


def test_the_json_is_the_apis_own_page(bridge: RunningBridge) -> None:
    said = json.loads(bridge.run("history", "two", "--json").stdout)
    assert said == bridge.ask("GET", "/decisions?triggerId=two&limit=20")


def test_nothing_in_it_can_steer_a_terminal(bridge: RunningBridge) -> None:
    assert "\x1b" not in bridge.run("history").stdout


def test_a_trigger_that_is_none_is_not_found(bridge: RunningBridge) -> None:
    assert bridge.run("history", "nobody").exit_code == 1


@pytest.mark.parametrize("arguments", [("--limit", "0"), ("--limit", "x"), ("--since", "noon")])
def test_bad_usage_is_told_as_such(bridge: RunningBridge, arguments: tuple[str, str]) -> None:
    assert bridge.run("history", *arguments).exit_code == 2
