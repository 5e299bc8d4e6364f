"""One list says where everything is that any engine of a bridge has."""

from __future__ import annotations

from schedule_bridge.core.model import TriggerId, WorkspaceId
from schedule_bridge.engine.directory import Directory, Listed

HERE, THERE = WorkspaceId("here"), WorkspaceId("there")
A, B = TriggerId("a"), TriggerId("b")


def test_what_comes_and_goes_is_on_the_list() -> None:
    places: dict[TriggerId, WorkspaceId] = {}
    here, there = Listed[TriggerId, int](places, HERE), Listed[TriggerId, int](places, THERE)
    here[A], there[B] = 1, 2
    assert places == {A: HERE, B: THERE}
    del here[A]
    assert places == {B: THERE}


def test_what_has_moved_is_not_struck_where_it_was() -> None:
    places: dict[TriggerId, WorkspaceId] = {}
    here, there = Listed[TriggerId, int](places, HERE), Listed[TriggerId, int](places, THERE)
    here[A] = 1
    there[A] = 1
    del here[A]
    assert places == {A: THERE}


def test_a_memory_that_is_dropped_leaves_nothing_on_the_list() -> None:
    directory = Directory()
    here, there = directory.part_of(HERE), directory.part_of(THERE)
    here.registrations[A] = there.registrations[B] = object()  # type: ignore[assignment]
    here.strike()
    assert directory.triggers == {B: THERE}
