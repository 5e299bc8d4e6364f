"""A trigger's past under other settings: its firings again, through the same state machine.

The trigger is alone in it: what other triggers of its workflow, other holders of its lock keys
and its workspace's limit did is left out, since none of them would have done the same. What a
pause, a missing client or a missing lock key skipped is skipped again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from schedule_bridge.core.configuration import read_policy
from schedule_bridge.core.decisions import Decision, Scribe, Verdict
from schedule_bridge.core.events import ExecutionStarted
from schedule_bridge.core.model import MINUTE, NO_KEY, FiringId, Reason
from schedule_bridge.simulate.run import play
from schedule_bridge.simulate.scenario import Scenario, Step
from schedule_bridge.simulate.totals import Totals, count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from schedule_bridge.core.events import Event
    from schedule_bridge.core.model import Execution, TriggerConfig
    from schedule_bridge.core.world import World
    from schedule_bridge.simulate.output import Printed
    from schedule_bridge.simulate.past import Past

_SKIPPED_AGAIN = frozenset({Reason.PAUSED, Reason.DETACHED, Reason.LOCK_KEY_MISSING})


@dataclass(slots=True, frozen=True)
class Replay:
    """What the replay printed, times in seconds after the first firing, and both in numbers."""

    events: list[Printed]
    as_it_ran: Totals
    replayed: Totals


def replay(config: TriggerConfig, changes: Mapping[str, Any], past: Past) -> Replay:
    """Fires a trigger as it was fired, under its settings with `changes` of the wire format."""
    as_it_ran = count(
        (decision.verdict for decision in past.decisions), (run.state for run in past.runs())
    )
    witness = _Witness()
    printed = play(_scenario(_changed(config, changes), past), watch=witness.watch)
    return Replay(printed, as_it_ran, witness.totals())


def _changed(config: TriggerConfig, changes: Mapping[str, Any]) -> TriggerConfig:
    """The settings to be tried. Each firing brings its key; payloads are not kept."""
    policy, unknown = config.policy, config.policy_is_unknown
    if "overlapPolicy" in changes:
        policy, unknown = read_policy(changes["overlapPolicy"], subscribes=bool(config.on))
    minutes = changes.get("maxRunMinutes")
    return replace(
        config,
        policy=policy,
        policy_is_unknown=unknown,
        max_concurrent=int(changes.get("maxConcurrent", config.max_concurrent)),
        max_run=config.max_run if minutes is None else int(minutes) * MINUTE,
        lock_keys=(),
        lock_key=NO_KEY,
        payload=None,
        paused=None,
    )


def _scenario(config: TriggerConfig, past: Past) -> Scenario:
    start = past.decisions[0].fired_at if past.decisions else past.now
    return Scenario(
        start=start,
        until=max(past.now, start),
        limits={},
        triggers=(config,),
        runs={},
        steps=tuple(_steps(past)),
        run_times={
            FiringId(str(number)): run_time
            for number, run_time in enumerate(past.run_times(), start=1)
        },
        ticks=False,
    )


def _steps(past: Past) -> Iterator[Step]:
    """One step a firing, so that their numbers are those of the firings."""
    for decision in past.decisions:
        raw = {"triggerId": decision.trigger_id, "lockKey": decision.lock_key}
        if decision.verdict is Verdict.SKIPPED and decision.reason in _SKIPPED_AGAIN:
            yield Step(decision.fired_at, "skip", {**raw, "reason": decision.reason}, None)
        else:
            yield Step(decision.fired_at, "fire", raw, None)


class _Witness:
    """Keeps what came of each firing, as the store does, and each run that started."""

    def __init__(self) -> None:
        self._decisions: dict[FiringId, Decision] = {}
        self._runs: list[Execution] = []

    def watch(self, events: list[Event], world: World) -> None:
        """Takes down the events of a command."""
        scribe = Scribe(world, lambda trigger_id: world.triggers[trigger_id].config)
        for decision in scribe.decisions(events):
            self._decisions[decision.firing_id] = decision
        self._runs += [each.execution for each in events if isinstance(each, ExecutionStarted)]

    def totals(self) -> Totals:
        """All of it in numbers."""
        verdicts = (self._final(decision) for decision in self._decisions.values())
        return count(verdicts, (run.state for run in self._runs))

    def _final(self, decision: Decision) -> Verdict:
        """A firing that joined one which was dropped before its start is dropped with it."""
        joined = decision
        while joined.merged_into is not None:
            joined = self._decisions[joined.merged_into]
        return Verdict.DROPPED if joined.verdict is Verdict.DROPPED else decision.verdict
