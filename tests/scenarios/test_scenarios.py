"""Each file beside this one holds a scenario and what the simulator must print."""

import json
from pathlib import Path

import pytest

from schedule_bridge.simulate import simulate

FILES = sorted(Path(__file__).parent.glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_simulator_prints_to_the_letter_what_the_rules_say(file: Path) -> None:
    case = json.loads(file.read_text())
    assert simulate(case["scenario"]) == case["expect"]


def test_there_are_scenarios() -> None:
    assert len(FILES) >= 74
