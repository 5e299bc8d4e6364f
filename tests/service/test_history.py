"""GET /v1/decisions: why each firing did or did not start."""

from service.bridge import RunningBridge


async def test_decisions_are_listed_newest_first_page_by_page(bridge: RunningBridge) -> None:
    await bridge.set()
    fired = [(await bridge.fire())[0]["firingId"] for _ in range(5)]
    assert await bridge.in_pages("decisions", "firingId") == fired[::-1]


async def test_decisions_are_filtered(bridge: RunningBridge) -> None:
    await bridge.set("t")
    await bridge.set("u", workspaceId="x")
    (first,) = await bridge.fire("t")
    (second,) = await bridge.fire("u")

    async def found(query: str) -> list[str]:
        page = (await bridge.call("GET", f"/v1/decisions?{query}")).value
        return [each["firingId"] for each in page["decisions"]]

    assert await found("triggerId=t") == [first["firingId"]]
    assert await found("workspaceId=x") == [second["firingId"]]
    assert await found("since=2999-01-01T00:00:00Z") == []
    assert await found(f"since={first['decidedAt']}&triggerId=t") == [first["firingId"]]


async def test_a_queued_firings_decision_becomes_final(bridge: RunningBridge) -> None:
    await bridge.set(overlapPolicy="queue")
    run = await bridge.start_run()
    (queued,) = await bridge.fire()
    (merged,) = await bridge.fire()
    await bridge.call("POST", f"/v1/executions/{run}/finished", {"outcome": "completed"})
    decisions = (await bridge.call("GET", "/v1/decisions")).value["decisions"]
    verdicts = {each["firingId"]: each["decision"] for each in decisions}
    assert verdicts[queued["firingId"]] == "started"
    assert verdicts[merged["firingId"]] == "merged"
    assert merged["executionId"] == queued["executionId"]
    fired = {each["firingId"]: each["firedAt"] for each in decisions}
    assert [fired[each["firingId"]] for each in (queued, merged)] == [
        queued["firedAt"],
        merged["firedAt"],
    ]
