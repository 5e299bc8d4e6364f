"""Triggers as Node-RED's nodes declare them."""

from __future__ import annotations

from typing import Any

from schedule_bridge.wire.times import format_instant

DAY_SECONDS = 86_400
_ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Sydney")


def declared(number: int, *, client: str = "bench", schedule: dict[str, Any]) -> dict[str, Any]:
    """The body of a trigger, with every member that a node sends."""
    name = f"{client}.{number:06}"
    return {
        "triggerId": name,
        "clientId": client,
        "workspaceId": "default",
        "name": f"trigger {number}",
        "workflowId": name,
        "schedule": schedule,
        "overlapPolicy": "skip",
        "maxConcurrent": 1,
        "maxRunMinutes": 0,
        "priority": 5,
        "delaySeconds": 0,
        "catchUp": "none",
        "catchUpWindowSeconds": 3600,
        "lockKeys": [],
        "lockKey": None,
        "payload": None,
    }


def daily_at(instant: int) -> dict[str, Any]:
    """A schedule with a tick at an instant, and one each day after it."""
    return {"kind": "interval", "every": DAY_SECONDS, "anchor": format_instant(instant)}


def of_all_kinds(number: int) -> dict[str, Any]:
    """Every other schedule is an interval, the others are cron expressions in five zones."""
    if number % 2:
        return {"kind": "interval", "every": 600}
    expression = f"{number % 60} {number % 24} * * {'1-5' if number % 4 else '*'}"
    return {"kind": "cron", "expression": expression, "timezone": _ZONES[number % len(_ZONES)]}
