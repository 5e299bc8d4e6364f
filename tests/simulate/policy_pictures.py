"""The small pictures of the six policies that the help of the trigger shows.

`python -m tests.simulate.policy_pictures` draws them anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from schedule_bridge.core.model import OverlapPolicy
from schedule_bridge.simulate import play, read_scenario
from schedule_bridge.simulate.picture import draw_plot, lay_out

FOLDER: Final = Path(__file__).parents[2] / "resources" / "policies"
_PLOT: Final = 260
"""Pixels; the help sidebar is about 300 wide."""
_UNTIL: Final = 72 * 60
_RUN: Final = 14 * 60
"""Seconds that a run takes, of an interval of 10 minutes."""
_LONG_RUN: Final = 24 * 60
"""So long that a third run would overlap two others."""


def scenario_of(policy: OverlapPolicy) -> dict[str, Any]:
    """Seven ticks under a policy, with runs that take longer than the interval."""
    duration = _LONG_RUN if policy is OverlapPolicy.ALLOW else _RUN
    trigger = {
        "triggerId": "t",
        "schedule": {"kind": "interval", "every": 600},
        "overlapPolicy": policy.value,
        "maxConcurrent": 2,
    }
    return {
        "until": _UNTIL,
        "triggers": [trigger],
        "runs": {"t": {"durationSeconds": duration}},
    }


def policy_picture(policy: OverlapPolicy) -> str:
    """The picture of a policy, as the text of an SVG file."""
    scenario = read_scenario(scenario_of(policy))
    return draw_plot(lay_out(scenario, play(scenario), narrowest=_PLOT)) + "\n"


def file_of(policy: OverlapPolicy) -> Path:
    """Where the picture of a policy is kept."""
    return FOLDER / f"{policy.value}.svg"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in OverlapPolicy:
        file_of(each).write_text(policy_picture(each), encoding="utf-8")
