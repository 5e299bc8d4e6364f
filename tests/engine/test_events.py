"""R27: who an event fires, in which order, for which key; and what happens around the judging."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from schedule_bridge.core.model import TriggerId, WorkspaceId
from schedule_bridge.engine import Occurrence, RequestName, StoreUnavailableError
from schedule_bridge.engine.subscriptions import Subscription
from schedule_bridge.store import StoreError

from .clock import let_tasks_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from schedule_bridge.core.decisions import Decision

    from .rig import Rig

ISSUE = {"repo": "r", "number": 123}


def told(decisions: list[Decision]) -> bytes:
    return orjson.dumps([" ".join(_words(each)) for each in decisions])


def _words(decision: Decision) -> Iterator[str]:
    yield decision.trigger_id
    yield decision.verdict.value
    if decision.reason:
        yield decision.reason
    if decision.lock_key:
        yield f"[{decision.lock_key}]"


async def occur(
    rig: Rig,
    payload: object = None,
    *,
    kind: str = "issue",
    workspace: str = "default",
    key: str | None = None,
) -> list[str]:
    event = Occurrence(WorkspaceId(workspace), kind, payload, key)
    said: list[str] = orjson.loads(
        await rig.engine.occur(event, RequestName(key, repr(payload).encode()), told)
    )
    return said


async def subscribe(rig: Rig, trigger_id: str = "t", **config: Any) -> None:
    await rig.set(trigger_id, **{"on": ["issue"], **config})


class Gate:
    """Holds a judge, on its thread, until it is opened; counts who was judged."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.judged: list[str] = []
        self.entered = threading.Event()
        self.open = threading.Event()
        accepts: Callable[[Subscription, object], bool] = Subscription.accepts

        def held(subscription: Subscription, payload: object) -> bool:
            self.judged.append(subscription.config.trigger_id)
            self.entered.set()
            assert self.open.wait(10)
            return accepts(subscription, payload)

        monkeypatch.setattr(Subscription, "accepts", held)

    async def someone_waits(self) -> None:
        await asyncio.to_thread(self.entered.wait, 10)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    it = Gate(monkeypatch)
    yield it
    it.open.set()


async def test_an_event_fires_who_subscribes_to_its_type(rig: Rig) -> None:
    await subscribe(rig, "a", on=["push", "issue"])
    await subscribe(rig, "b", on=["push"])
    await subscribe(rig, "c", on=[])
    await rig.set("d")
    assert await occur(rig) == ["a started"]


async def test_an_event_that_nobody_subscribes_to_does_nothing(rig: Rig) -> None:
    await subscribe(rig)
    assert await occur(rig, kind="other") == []
    assert await occur(rig, workspace="never heard of") == []
    assert await rig.decisions() == []


async def test_an_event_stays_in_its_workspace(rig: Rig) -> None:
    await subscribe(rig, "here")
    await subscribe(rig, "there", workspaceId="other")
    assert await occur(rig, workspace="other") == ["there started"]


async def test_triggers_fire_by_priority_then_id(rig: Rig) -> None:
    for trigger_id, priority in (("b", 5), ("é", 5), ("a", 9), ("z", 1), ("B", 5)):
        await subscribe(rig, trigger_id, priority=priority)
    assert [each[0] for each in await occur(rig)] == ["z", "B", "b", "é", "a"]


async def test_each_firing_is_fully_handled_before_the_next(rig: Rig) -> None:
    """Both work in one workflow: the second meets the first one's run."""
    await subscribe(rig, "a", workflowId="w", overlapPolicy="skip")
    await subscribe(rig, "b", workflowId="w", overlapPolicy="skip")
    assert await occur(rig) == ["a started", "b skipped active"]


WHERE: list[tuple[Any, Any, bool]] = [
    ({}, None, True),
    (True, {"any": 1}, True),
    (False, {"any": 1}, False),
    ({"type": "object", "required": ["repo"]}, ISSUE, True),
    ({"type": "object", "required": ["repo"]}, None, False),
    ({"required": ["repo"]}, "no object", True),
    ({"properties": {"repo": {"const": "r"}}}, ISSUE, True),
    ({"properties": {"repo": {"const": "s"}}}, ISSUE, False),
    ({"properties": {"a": {"properties": {"b": {"enum": [1, 2]}}}}}, {"a": {"b": 2}}, True),
    ({"properties": {"a": {"properties": {"b": {"enum": [1, 2]}}}}}, {"a": {"b": 3}}, False),
    ({"properties": {"a": {"const": 1}}}, {"a": True}, False),
    ({"properties": {"a": {"type": "integer"}}}, {"a": 1.0}, True),
    ({"not": {"properties": {"draft": {"const": True}}}}, {"draft": True}, False),
    ({"anyOf": [{"type": "string"}, {"minimum": 5}]}, 7, True),
    ({"anyOf": [{"type": "string"}, {"minimum": 5}]}, 3, False),
    ({"if": {"type": "number"}, "then": False}, 3, False),
    ({"contains": {"const": "bug"}}, ["bug", "ui"], True),
    ({"contains": {"const": "bug"}}, ["ui"], False),
    ({"properties": {"file": {"type": "string"}}}, {"file": b"\x00\xff"}, False),
    ({"properties": {"file": {"minLength": 1}}}, {"file": b""}, True),
    ({"multipleOf": 0.1}, 1e308, False),
]


@pytest.mark.parametrize(("where", "payload", "accepted"), WHERE)
async def test_a_condition_decides_whether_a_trigger_fires(
    rig: Rig, where: Any, payload: Any, accepted: bool
) -> None:
    await subscribe(rig, where=where)
    assert bool(await occur(rig, payload)) is accepted


async def test_a_condition_that_cannot_be_judged_stops_no_other_trigger(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    """Declared past the schema, as an earlier version may have let it through."""
    await subscribe(rig, "a", where={"type": "no such type"})
    await subscribe(rig, "b")
    assert await occur(rig, ISSUE) == ["b started"]
    assert "The condition of trigger a cannot be judged." in caplog.text


async def test_the_lock_key_is_rendered_from_the_payload(rig: Rig) -> None:
    await subscribe(rig, lockKeyTemplate="{repo}:issue:{number}")
    assert await occur(rig, ISSUE) == ["t started [r:issue:123]"]
    assert await occur(rig, {**ISSUE, "number": 124}) == ["t started [r:issue:124]"]
    assert await occur(rig, ISSUE) == ["t queued [r:issue:123]"]


async def test_a_missing_field_skips_the_firing_and_says_so(rig: Rig) -> None:
    await subscribe(rig, lockKeyTemplate="{repo}:{number}", lockKeys=["a", "b"])
    assert await occur(rig, {"repo": "r"}) == ["t skipped lockKeyMissing"]
    (decision,) = await rig.decisions()
    assert decision.message == "Skipped: the event lacks a field of the trigger's lock key."
    assert await rig.active() == {}


async def test_a_missing_field_of_one_trigger_keeps_nothing_from_the_others(rig: Rig) -> None:
    await subscribe(rig, "a", lockKeyTemplate="{absent}")
    await subscribe(rig, "b", lockKeyTemplate="{repo}")
    assert await occur(rig, ISSUE) == ["a skipped lockKeyMissing", "b started [r]"]


async def test_the_first_gate_comes_before_a_missing_field(rig: Rig) -> None:
    await subscribe(rig, lockKeyTemplate="{absent}")
    await rig.pause()
    assert await occur(rig, ISSUE) == ["t skipped paused"]


async def test_without_a_template_the_configured_keys_are_used(rig: Rig) -> None:
    await subscribe(rig, "a", lockKeys=["k1", "k2"])
    await subscribe(rig, "b", lockKey="k3")
    said = ["a started [k1]", "a started [k2]", "b started [k3]"]
    assert await occur(rig, ISSUE) == said


async def test_a_rendered_key_goes_before_the_configured_ones(rig: Rig) -> None:
    await subscribe(rig, lockKeys=["k1", "k2"], lockKeyTemplate="{repo}")
    assert await occur(rig, ISSUE) == ["t started [r]"]


async def test_a_burst_ends_in_one_more_run_with_the_latest_state(rig: Rig) -> None:
    await subscribe(rig)
    await asyncio.gather(*(occur(rig, {"n": number, f"k{number}": 1}) for number in range(20)))
    first, last = (await rig.active()).values()
    assert (first.state, last.state, last.merged_firings) == ("pending", "queued", 18)
    verdicts = sorted(await rig.verdicts())
    assert verdicts == ["merged"] * 18 + ["queued", "started"]
    assert isinstance(last.payload, dict)
    assert len(last.payload) == 20


async def test_events_in_a_row_leave_the_latest_payload(rig: Rig) -> None:
    await subscribe(rig)
    for number in range(4):
        await occur(rig, {"n": number})
    run, last = (await rig.active()).values()
    assert (run.payload, last.payload) == ({"n": 0}, {"n": 3})
    assert (run.source, last.source) == ("event", "event")


async def test_a_policy_that_was_declared_goes_before_queue(rig: Rig) -> None:
    await subscribe(rig, overlapPolicy="skip")
    assert [await occur(rig), await occur(rig)] == [["t started"], ["t skipped active"]]


async def test_a_detached_trigger_skips_events(rig: Rig) -> None:
    client = await rig.client()
    await client.here({"triggerId": "t", "on": ["issue"]})
    await client.here()
    assert await occur(rig) == ["t skipped detached"]
    await client.here({"triggerId": "t", "on": ["issue"]})
    assert await occur(rig) == ["t started"]


async def test_subscriptions_follow_the_declaration(rig: Rig) -> None:
    await subscribe(rig, on=["issue", "push"])
    await subscribe(rig, on=["push"])
    assert await occur(rig) == []
    await subscribe(rig, on=["issue"], where=False)
    assert await occur(rig) == []
    await subscribe(rig, workspaceId="other")
    assert await occur(rig) == []
    assert await occur(rig, workspace="other") == ["t started"]
    await rig.set()
    assert await occur(rig, workspace="other") == []


async def test_a_removed_trigger_is_fired_no_more(rig: Rig) -> None:
    await subscribe(rig)
    await rig.engine.remove(TriggerId("t"))
    assert await occur(rig) == []


async def test_subscriptions_survive_a_restart(rig: Rig) -> None:
    await subscribe(rig, where={"required": ["repo"]}, lockKeyTemplate="{repo}")
    await rig.restart()
    assert await occur(rig, {}) == []
    assert await occur(rig, ISSUE) == ["t started [r]"]


async def test_a_repeat_with_its_key_gets_the_first_answer(rig: Rig) -> None:
    await subscribe(rig)
    first = await occur(rig, ISSUE, key="delivery 1")
    await rig.restart()
    assert await occur(rig, ISSUE, key="delivery 1") == first == ["t started"]
    assert len(await rig.decisions()) == 1


async def test_conditions_are_judged_beside_the_loop(rig: Rig, gate: Gate) -> None:
    await subscribe(rig)
    await rig.set("other")
    event = asyncio.create_task(occur(rig))
    await gate.someone_waits()
    assert await rig.fire("other") == ["started"]
    assert not event.done()
    gate.open.set()
    assert await event == ["t started"]


async def test_a_trigger_declared_anew_while_it_is_judged_is_judged_anew(
    rig: Rig, gate: Gate
) -> None:
    await subscribe(rig, where={"required": ["repo"]})
    event = asyncio.create_task(occur(rig, ISSUE))
    await gate.someone_waits()
    await subscribe(rig, where={"required": ["repo"]}, lockKeyTemplate="{number}")
    gate.open.set()
    assert await event == ["t started [123]"]
    assert gate.judged == ["t", "t"]


async def test_a_trigger_that_no_longer_subscribes_is_not_fired(rig: Rig, gate: Gate) -> None:
    await subscribe(rig, "a")
    await subscribe(rig, "b")
    event = asyncio.create_task(occur(rig, ISSUE))
    await gate.someone_waits()
    await subscribe(rig, "a", where=False)
    await rig.engine.remove(TriggerId("b"))
    gate.open.set()
    assert await event == []


async def test_a_trigger_that_subscribes_while_others_are_judged_is_fired(
    rig: Rig, gate: Gate
) -> None:
    await subscribe(rig, "b")
    event = asyncio.create_task(occur(rig, ISSUE))
    await gate.someone_waits()
    await subscribe(rig, "a")
    gate.open.set()
    assert await event == ["a started", "b started"]


async def test_an_event_outlives_a_store_that_failed_while_it_was_judged(
    rig: Rig, gate: Gate
) -> None:
    await subscribe(rig)
    event = asyncio.create_task(occur(rig, ISSUE))
    await gate.someone_waits()
    rig.store.fault = StoreError("The disk is full.")
    with pytest.raises(StoreUnavailableError):
        await rig.fire()
    rig.store.fault = None
    await rig.pass_time(10)
    gate.open.set()
    assert await event == ["t started"]


async def test_an_event_is_refused_while_the_store_cannot_be_written(rig: Rig) -> None:
    await subscribe(rig)
    rig.store.fault = StoreError("The disk is full.")
    with pytest.raises(StoreUnavailableError):
        await occur(rig)
    rig.store.fault = None
    await rig.pass_time(10)
    await let_tasks_run()
    assert (await occur(rig), await rig.verdicts()) == (["t started"], ["started"])
