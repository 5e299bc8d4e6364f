"""What an execution that has not started says it waits for."""

from schedule_bridge.core.waiting import Lines, WaitsFor

from .house import House


def waits_for(house: House, execution_id: str) -> WaitsFor | None:
    return Lines(house.world).waits_for(house.execution(execution_id))


def test_a_queued_run_waits_for_the_others_of_its_scope() -> None:
    house = House()
    house.set(overlapPolicy="allow", maxConcurrent=2)
    house.fire()
    house.fire()
    house.set(overlapPolicy="queue")
    house.fire()
    found = waits_for(house, "t#3")
    assert found is not None
    assert (found.gate, found.position, found.execution_ids) == ("overlap", 1, ("t#1", "t#2"))


def test_a_run_waits_for_the_holder_of_its_key_or_the_one_before_it_in_line() -> None:
    house = House()
    for name in ("holder", "first", "second"):
        house.set(name, lockKey="k")
        house.fire(name)
    for position, name in enumerate(("first#1", "second#1"), 1):
        found = waits_for(house, name)
        assert found is not None
        assert (found.gate, found.position, found.lock_key) == ("lock", position, "k")
        assert found.execution_ids == ("holder#1",)


def test_a_run_on_hold_knows_its_place() -> None:
    house = House(limit=1)
    for name in ("a", "b", "c"):
        house.set(name)
        house.fire(name)
    places = [(found.gate, found.position) for n in "bc" if (found := waits_for(house, f"{n}#1"))]
    assert places == [("capacity", 1), ("capacity", 2)]


def test_a_run_that_has_started_waits_for_nothing() -> None:
    house = House()
    house.set()
    house.fire()
    assert waits_for(house, "t#1") is None


def test_nobody_stands_in_line_for_a_key_that_nobody_uses() -> None:
    house = House()
    house.set()
    house.fire(key="k")
    workspace = house.world.workspace(house.execution("t#1").workspace_id)
    assert list(workspace.line_for(house.execution("t#1").lock_key)) == []
    house.finish("t#1")
    assert workspace.line_for(house.trigger().config.lock_key) == ()


def test_the_oldest_of_those_in_the_way_are_named() -> None:
    house = House()
    house.set(overlapPolicy="allow", maxConcurrent=100)
    for _ in range(30):
        house.fire()
    house.set(overlapPolicy="queue")
    house.fire()
    found = waits_for(house, "t#31")
    assert found is not None
    assert found.execution_ids == tuple(f"t#{number}" for number in range(1, 21))
