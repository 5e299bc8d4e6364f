"""Random scenarios of simulate.md: few names, many collisions, whole and quarter seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import strategies as st

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

Object: TypeAlias = dict[str, Any]

START = "2026-01-01T00:00:00Z"
TRIGGERS = ("t", "u", "v", "w")
WORKSPACES = ("default", "other")
KEYS = ("", "k", "l")
POLICIES = ("skip", "queue", "allow", "buffer", "cancel", "terminate")
NOT_A_POLICY = ("Skip", "", 7, ["queue"], {"queue": True}, False)

instants = st.integers(0, 240).map(lambda quarters: quarters / 4) | st.integers(0, 60)
short = st.sampled_from([0.75, 1, 2, 2.5, 5, 8, 20])
limits = st.integers(0, 3)
priorities = st.sampled_from([1, 4, 5, 5, 6, 100])
keys = st.sampled_from(KEYS)
payloads = st.sampled_from([None, 1, "x", [1], {}, {"a": 1}, {"a": 2, "b": {"c": 1}}, {"b": None}])
triggers_named = st.sampled_from(TRIGGERS)
executions_named = st.builds(lambda trigger, n: f"{trigger}#{n}", triggers_named, st.integers(1, 6))
outcomes = st.sampled_from(["completed", "failed", "cancelled"])
jobs_named = st.sampled_from(["i", "j", "m", "n"])
policies = st.sampled_from(POLICIES) | st.none() | st.sampled_from(NOT_A_POLICY)
periods = st.sampled_from([1, 2.5, 5])
"""So few that a new declaration often keeps the period, and with it the anchor."""
schedules = (
    st.just({"kind": "none"})
    | st.builds(lambda every: {"kind": "interval", "every": every}, periods)
    | st.builds(
        lambda every, second: {
            "kind": "interval",
            "every": every,
            "anchor": f"2026-01-01T00:00:{second:02}Z",
        },
        periods,
        st.integers(0, 59),
    )
)


_settings: dict[str, SearchStrategy[Any]] = {
    "workflowId": st.sampled_from(["x", "y"]),
    "workspaceId": st.sampled_from(WORKSPACES),
    "schedule": schedules,
    "overlapPolicy": policies,
    "maxConcurrent": st.integers(1, 3),
    "maxRunMinutes": st.sampled_from([0, 0, 1]),
    "priority": priorities,
    "lockKeys": st.lists(st.sampled_from(KEYS[1:]), max_size=2, unique=True),
    "lockKey": keys | st.none(),
    "delaySeconds": st.sampled_from([0, 0, 0.25, 3, 10]),
    "payload": payloads,
    "paused": st.booleans(),
}


def configurations(names: SearchStrategy[str]) -> SearchStrategy[Object]:
    """Trigger configurations; most fields are left out now and then."""
    return st.fixed_dictionaries({"triggerId": names}, optional=_settings)


@st.composite
def _changed(draw: DrawFn, declared: list[Object]) -> Object:
    """A configuration that was declared before, one of its settings changed."""
    name = draw(st.sampled_from(sorted(_settings)))
    return {**draw(st.sampled_from(declared)), name: draw(_settings[name])}


def _step(do: str, required: Object, optional: Object | None = None) -> SearchStrategy[Object]:
    return st.fixed_dictionaries(
        {"at": instants, "do": st.just(do), **required}, optional=optional or {}
    )


_fire = _step(
    "fire",
    {"triggerId": triggers_named},
    {"payload": payloads, "lockKey": keys, "priority": priorities},
)
_finish = _step("finish", {"executionId": executions_named, "outcome": outcomes})
_set_trigger = _step("setTrigger", {"trigger": configurations(triggers_named)})
_set_workspace = _step(
    "setWorkspace",
    {"workspaceId": st.sampled_from(WORKSPACES), "maxConcurrentExecutions": limits},
)
_add_job = _step("addJob", {"executionId": executions_named, "jobId": jobs_named})
_finish_job = _step("finishJob", {"jobId": jobs_named})
_on_execution = st.one_of(
    *(
        _step(do, {"executionId": executions_named})
        for do in ("cancel", "terminate", "pause", "resume")
    )
)
_on_trigger = st.one_of(
    *(
        _step(do, {"triggerId": triggers_named})
        for do in ("pauseTrigger", "resumeTrigger", "removeTrigger")
    )
)
steps = st.one_of(
    _fire,
    _fire,
    _fire,
    _finish,
    _finish,
    _on_execution,
    _on_trigger,
    _set_trigger,
    _set_workspace,
    _add_job,
    _finish_job,
)


@st.composite
def scenarios(draw: DrawFn, fewest_steps: int = 0) -> Object:
    """A scenario that the simulator accepts."""
    names = draw(st.lists(triggers_named, min_size=1, unique=True))
    triggers = [draw(configurations(st.just(name))) for name in names]
    change = _step("setTrigger", {"trigger": _changed(triggers)})
    runs = st.fixed_dictionaries(
        {"durationSeconds": short | st.lists(short, min_size=1, max_size=3)},
        optional={"outcome": outcomes},
    )
    scenario: Object = {
        "start": START,
        "triggers": triggers,
        "workspaces": {
            name: {"maxConcurrentExecutions": draw(limits)}
            for name in draw(st.lists(st.sampled_from(WORKSPACES), unique=True))
        },
        "runs": draw(st.dictionaries(triggers_named, runs, max_size=4)),
        "steps": draw(
            st.lists(steps | change, min_size=draw(st.integers(fewest_steps, 25)), max_size=30)
        ),
    }
    if draw(st.booleans()):
        scenario["until"] = draw(st.sampled_from([20, 61, 90]))
    return scenario
