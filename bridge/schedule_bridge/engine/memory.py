"""All that the engine has in memory: machine, registrations, answers, one agenda for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedule_bridge.core import deadlines
from schedule_bridge.core.agenda import Agenda
from schedule_bridge.core.gates import arm_delay
from schedule_bridge.core.machine import Machine
from schedule_bridge.core.model import ExecutionId, FiringId, State
from schedule_bridge.engine.answers import Answers
from schedule_bridge.engine.directory import Part
from schedule_bridge.engine.ended import EndedExecutions
from schedule_bridge.engine.names import Names, Numbers
from schedule_bridge.engine.registration import StoredTrigger, read_back, recompute
from schedule_bridge.engine.skips import Skips
from schedule_bridge.engine.subscriptions import Subscriptions
from schedule_bridge.schedule import ZONE_DATA_VERSION
from schedule_bridge.store.payloads import pack, pack_value

if TYPE_CHECKING:
    from schedule_bridge.core.model import Duration, Instant, TriggerConfig, TriggerId
    from schedule_bridge.engine.settings import Settings
    from schedule_bridge.store import Snapshot, TriggerRecord

MERGED_PAYLOAD_BYTES = 1024 * 1024
_TOKENS_OF_AN_EPOCH = 24
"""R17: bits of a fencing token below the epoch; 29 of the 53 that JavaScript knows are left to it.

More starts under one epoch than that run over into tokens of the next, and rise all the same.
"""
_ON = pack_value("on")
"""In each packed body that subscribes to events, and in few others."""


class Memory:
    """The state of the house. It is thrown away and read back when a commit fails.

    `recomputed` are the triggers whose stored next tick was that of other zone data.
    """

    def __init__(self, snapshot: Snapshot, settings: Settings, part: Part | None = None) -> None:
        """`part` is what triggers and executions are kept in, empty yet."""
        part = part or Part()
        self.agenda = Agenda()
        self.registrations = part.registrations
        self.subscriptions = Subscriptions()
        self.answers = Answers(snapshot.answers, settings)
        self.named_firings: list[FiringId] = []
        self.ended = EndedExecutions()
        self.skips = Skips(snapshot.streaks)
        self.recomputed: list[TriggerId] = []
        self._execution_ids = Names()
        self._firing_ids = Numbers()
        self.machine = Machine(self, self.agenda, part.executions)
        self._read_back(snapshot)

    # what the core is handed

    def new_execution_id(self, _: TriggerId) -> ExecutionId:
        """A name that no execution has had."""
        return ExecutionId(self._execution_ids.new())

    def new_firing_id(self) -> FiringId:
        """A name that no firing has had; `named_firings` lists them until somebody clears it."""
        self.named_firings.append(FiringId(self._firing_ids.new()))
        return self.named_firings[-1]

    def may_keep(self, payload: object) -> bool:
        """Whether a merged payload is no larger than one may come in a request."""
        return len(pack(payload) or b"") <= MERGED_PAYLOAD_BYTES

    def interval(self, trigger_id: TriggerId, at: Instant) -> Duration | None:
        """The interval of the trigger's schedule around `at` (R20)."""
        return self.registrations[trigger_id].schedule.interval_at(at)

    # reading back

    def _read_back(self, snapshot: Snapshot) -> None:
        world = self.machine.world
        world.order = snapshot.order
        for workspace in snapshot.workspaces:
            kept = world.workspace(workspace.workspace_id)
            kept.limit = workspace.limit
            first = snapshot.epoch << _TOKENS_OF_AN_EPOCH
            kept.fencing_token = max(workspace.fencing_token, first)
        for record in snapshot.triggers:
            self._read_trigger(record, snapshot.clock)
        self._read_executions(snapshot)
        self._read_held(snapshot)

    def _read_trigger(self, record: TriggerRecord, clock: Instant) -> None:
        registration = read_back(record)
        self.registrations[record.trigger_id] = registration
        self.machine.world.triggers[record.trigger_id] = StoredTrigger(registration, record)
        if _ON in record.configuration:
            self.subscriptions.set(registration.config)
        if record.zone_data != ZONE_DATA_VERSION:
            recompute(registration, clock)
            self.recomputed.append(record.trigger_id)

    def _read_executions(self, snapshot: Snapshot) -> None:
        world = self.machine.world
        for execution in snapshot.executions:
            world.add(execution)
            if execution.state is State.RUNNING:
                deadlines.arm(world, execution)
        for workspace in world.workspaces.values():
            workspace.sort_holds()

    def _read_held(self, snapshot: Snapshot) -> None:
        world = self.machine.world
        for held in snapshot.delayed:
            trigger = world.triggers[held.firing.trigger_id]
            trigger.delayed[held.firing.lock_key] = held
            arm_delay(world, held, held.ready_at)
        for firing in snapshot.buffered:
            world.triggers[firing.trigger_id].buffered[firing.lock_key] = firing

    def config_of(self, trigger_id: TriggerId) -> TriggerConfig:
        """The configuration in force of a registered trigger."""
        return self.registrations[trigger_id].config
