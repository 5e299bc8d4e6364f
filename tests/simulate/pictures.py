"""Scenarios for pictures, and what is made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schedule_bridge.simulate import play, read_scenario
from schedule_bridge.simulate.picture import draw, lay_out
from schedule_bridge.simulate.telling import tell

if TYPE_CHECKING:
    from schedule_bridge.simulate.picture.shapes import Band, Picture
    from schedule_bridge.simulate.story import Story

SCENARIOS = Path(__file__).parents[1] / "scenarios"
MINUTE = 60_000_000


def recorded(name: str) -> Any:
    """The scenario of that name among the recorded ones."""
    return json.loads((SCENARIOS / f"{name}.json").read_text())["scenario"]


def every(seconds: float, policy: str, **settings: Any) -> dict[str, Any]:
    """A trigger `t` that ticks so often under a policy."""
    schedule = {"kind": "interval", "every": seconds}
    return {"triggerId": "t", "schedule": schedule, "overlapPolicy": policy, **settings}


def hour_of(trigger: dict[str, Any], *durations: float, **more: Any) -> dict[str, Any]:
    """An hour of one trigger whose runs take so many seconds, in turn."""
    runs = {trigger["triggerId"]: {"durationSeconds": list(durations)}} if durations else {}
    return {"until": 3600, "triggers": [trigger], "runs": runs, **more}


def stories_of(raw: object) -> list[Story]:
    scenario = read_scenario(raw)
    return tell(scenario, play(scenario))


def story_of(raw: object) -> Story:
    (story,) = stories_of(raw)
    return story


def picture_of(raw: object) -> Picture:
    scenario = read_scenario(raw)
    return lay_out(scenario, play(scenario))


def band_of(raw: object) -> Band:
    (band,) = picture_of(raw).bands
    return band


def svg_of(raw: object) -> str:
    return draw(picture_of(raw))
