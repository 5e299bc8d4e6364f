"""A small history and record in which nothing is wrong, to be doctored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crash.closing import PROBE
from crash.history import Call, Claim, End, History, Offer, Told
from crash.record import Record
from schedule_bridge.core.model import SECOND, ExecutionId
from schedule_bridge.wire.times import format_instant

if TYPE_CHECKING:
    from crash.record import Row

T0 = 1_800_000_000 * SECOND
FIRST, SECOND_RUN, PROBED = ExecutionId("run1"), ExecutionId("run2"), ExecutionId("run3")


def at(seconds: float) -> int:
    """So long after the beginning."""
    return T0 + round(seconds * SECOND)


def call(method: str, path: str, seconds: float, value: Any, **more: Any) -> Call:
    """A request that was answered at once."""
    known = {"who": "p", "body": None, "key": None, "status": 200, **more}
    asked, answered = at(seconds), at(seconds + 0.01)
    return Call(method=method, path=path, asked=asked, answered=answered, value=value, **known)


def decision(firing: str, verdict: str, trigger: str, seconds: float, **more: Any) -> Row:
    """A row of decisions."""
    return {
        "firing_id": firing,
        "verdict": verdict,
        "reason": None,
        "trigger_id": trigger,
        "lock_key": "",
        "execution_id": None,
        "fired_at": at(seconds),
        **more,
    }


def run(execution: str, firing: str, token: int, begins: float, ends: float, **more: Any) -> Row:
    """A row of executions: pending and claimed at once, then completed."""
    return {
        "execution_id": execution,
        "firing_id": firing,
        "fencing_token": token,
        "workspace_id": "default",
        "workflow_id": "a-cancel",
        "lock_key": "red",
        "pending_at": at(begins),
        "started_at": at(begins),
        "ended_at": at(ends),
        "state": "completed",
        "payload": None,
        "halted": 1,
        **more,
    }


def sound() -> tuple[History, Record]:
    """Two runs one after the other, a probe, and the ticks of a-skip for nine seconds."""
    record = Record(
        decisions=[*_firings(), *_ticks()],
        executions=[
            run(FIRST, "f1", 1, 1, 2),
            run(SECOND_RUN, "f2", 2, 2, 3),
            run(PROBED, "f3", 3, 20, 21, workflow_id=PROBE),
        ],
        missed_stretches=[stretch("a-skip", 4, 5, recorded=5.9)],
        jobs=[{"execution_id": FIRST, "job_id": "j", "ended_as": "finished"}],
        workspaces=[{"workspace_id": "default", "fencing_token": 3}],
        holds=[hold("1", "one", 1), hold("2", "one", 1), hold("3", "two", 2, owner_before="one")],
        writes=[write("2", 1 << 24 | 7), write("3", 2 << 24 | 1)],
        beliefs=[{"transaction": "3", "workspace_id": "default", "owner": "two", "epoch": 2}],
    )
    record.seen_decisions = [
        {"firingId": row["firing_id"], "decision": row["verdict"]} for row in record.decisions
    ]
    record.seen_executions = [_view(row) for row in record.executions]
    return _history(record), record


def _history(record: Record) -> History:
    fire = "/v1/triggers/a-cancel/fire"
    return History(
        calls=[
            call("PUT", "/v1/workspaces/default", 0, {}, body={"maxConcurrentExecutions": 1}),
            call("PUT", "/v1/triggers/a-skip", 0.5, {}),
            call("POST", fire, 1, {"decisions": [_answer(record, 0)]}, key="k1"),
            call("POST", fire, 2, {"decisions": [_answer(record, 1)]}),
            call("POST", f"/v1/executions/{FIRST}/jobs/j/claim", 1.5, {}),
            call("GET", f"/v1/executions/{FIRST}", 4, record.seen_executions[0]),
            call("DELETE", "/v1/triggers/a-skip", 9.5, None, status=204),
            call(
                "POST",
                "/v1/triggers/probe/fire",
                20,
                {"decisions": [_answer(record, 2)]},
                who=PROBE,
            ),
        ],
        offers=[Offer("b", "s1", {"executionId": FIRST, "fencingToken": 1})],
        claims=[Claim("s1", FIRST, confirmed=True), Claim("s1", SECOND_RUN, confirmed=True)],
        ends=[End("s1", "s1:1", FIRST, "completed", ignored=False)],
        told=[Told("s1", SECOND_RUN, "completed")],
        last_sessions={"s1"},
    )


def _firings() -> list[Row]:
    return [
        decision("f1", "started", "a-cancel", 1, execution_id=FIRST, lock_key="red"),
        decision("f2", "started", "a-cancel", 2, execution_id=SECOND_RUN, lock_key="red"),
        decision("f3", "started", PROBE, 20, execution_id=PROBED),
    ]


def _ticks() -> list[Row]:
    """Ticks 1 to 3 and 6 to 9 fire, 4 and 5 are missed, the latest of them is caught up."""
    fired = [decision(f"t{n}", "skipped", "a-skip", n + 0.01) for n in (1, 2, 3)]
    missed = decision("m", "missed", "a-skip", 5.95)
    caught_up = decision("c", "skipped", "a-skip", 5.95)
    later = [decision(f"t{n}", "skipped", "a-skip", n + 0.3) for n in (6, 7, 8, 9)]
    return [*fired, missed, caught_up, *later]


def stretch(trigger: str, first: float, last: float, *, recorded: float) -> Row:
    """A row of missed_stretches; its decision is another row."""
    return {
        "trigger_id": trigger,
        "first_tick": at(first),
        "last_tick": at(last),
        "ticks": round(last - first) + 1,
        "reason": "down",
        "recorded_at": at(recorded),
    }


def hold(transaction: str, owner: str, epoch: int, owner_before: str | None = None) -> Row:
    """What a witness saw of a lease; who comes after another waited for its end."""
    return {
        "transaction": transaction,
        "workspace_id": "default",
        "owner": owner,
        "epoch": epoch,
        "owner_before": owner_before or owner,
        "epoch_before": epoch if owner_before is None else epoch - 1,
        "was_over": owner_before is not None,
    }


def write(transaction: str, token: int) -> Row:
    """What it saw of a run."""
    return {"transaction": transaction, "workspace_id": "default", "fencing_token": token}


def _answer(record: Record, number: int) -> dict[str, Any]:
    row = record.decisions[number]
    return {
        "firingId": row["firing_id"],
        "decision": row["verdict"],
        "reason": row["reason"],
        "executionId": row["execution_id"],
    }


def _view(row: Row) -> dict[str, Any]:
    return {
        "executionId": row["execution_id"],
        "state": row["state"],
        "fencingToken": row["fencing_token"],
        "startedAt": format_instant(row["started_at"]),
    }
