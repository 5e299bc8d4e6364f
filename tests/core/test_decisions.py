"""Every firing has one decision that says why it did or did not start (section 7)."""

from schedule_bridge.core.decisions import Decision, Scribe, Verdict

from .house import House


class Record:
    """The decisions that stand, by firing, as a store would keep them."""

    def __init__(self, house: House) -> None:
        self.kept: dict[str, Decision] = {}
        self._house = house
        configs = {name: trigger.config for name, trigger in house.world.triggers.items()}
        self._scribe = Scribe(house.world, configs.__getitem__)

    def of_last(self) -> list[str]:
        """Keeps the decisions of the last command and reads them out."""
        decisions = self._scribe.decisions(self._house.events)
        self.kept.update({decision.firing_id: decision for decision in decisions})
        return [_read(decision) for decision in decisions]


def _read(decision: Decision) -> str:
    reason = f" {decision.reason}" if decision.reason else ""
    run = f" as {decision.execution_id}" if decision.execution_id else ""
    return f"{decision.firing_id} {decision.verdict}{reason}{run}"


def a_house(**config: object) -> tuple[House, Record]:
    house = House()
    house.set("other", lockKey="k")
    house.set("t", **config)
    return house, Record(house)


def test_a_start() -> None:
    house, record = a_house()
    house.fire()
    assert record.of_last() == ["f1 started as t#1"]


def test_a_skip_names_the_run_in_the_way() -> None:
    house, record = a_house()
    house.fire()
    house.fire()
    assert record.of_last() == ["f2 skipped active"]
    decision = record.kept["f2"]
    assert decision.in_the_way == ("t#1",)
    assert decision.message == "Skipped: run t#1 of this workflow is about to start."
    assert (decision.workflow_id, decision.workspace_id, decision.lock_key) == ("t", "default", "")


def test_a_queued_firing_then_starts() -> None:
    house, record = a_house(overlapPolicy="queue")
    house.fire()
    house.fire()
    assert record.of_last() == ["f2 queued as t#2"]
    house.finish("t#1")
    assert record.of_last() == ["f2 started as t#2"]


def test_a_queued_firing_whose_run_is_cancelled_is_dropped() -> None:
    house, record = a_house(overlapPolicy="queue")
    house.fire()
    house.fire()
    house.verb("cancel", "t#2")
    assert record.of_last() == ["f2 dropped cancelled as t#2"]


def test_the_end_of_a_run_that_has_started_is_no_decision() -> None:
    house, record = a_house()
    house.fire()
    house.verb("cancel", "t#1")
    assert record.of_last() == []


def test_a_merged_firing_says_what_it_joined() -> None:
    house, record = a_house(overlapPolicy="queue")
    for _ in range(3):
        house.fire()
    assert record.of_last() == ["f3 merged as t#2"]
    assert record.kept["f3"].merged_into == "f2"


def test_a_firing_merged_into_a_delayed_one_names_no_run() -> None:
    house, record = a_house(delaySeconds=5)
    house.fire()
    assert record.of_last() == ["f1 delayed"]
    house.fire()
    assert record.of_last() == ["f2 merged"]
    assert record.kept["f2"].merged_into == "f1"
    house.wait(5)
    assert record.of_last() == ["f1 started as t#1"]


def test_a_buffered_firing_and_the_one_that_it_replaces() -> None:
    house, record = a_house(overlapPolicy="buffer")
    house.fire()
    house.fire()
    assert record.of_last() == ["f2 buffered"]
    house.fire()
    assert record.of_last() == ["f3 dropped bufferFull"]
    house.finish("t#1")
    house.fire()
    assert record.of_last() == ["f4 dropped replaced", "f2 started as t#2"]


def test_a_firing_that_waits_for_its_key_names_who_has_it() -> None:
    house, record = a_house(lockKey="k")
    house.fire("other")
    house.fire()
    assert record.of_last() == ["f2 waiting as t#1"]
    assert record.kept["f2"].in_the_way == ("other#1",)


def test_a_firing_on_hold_says_how_full_the_workspace_is() -> None:
    house, record = a_house()
    house.limit(1)
    house.fire("other")
    house.fire()
    assert record.of_last() == ["f2 onHold as t#1"]
    assert record.kept["f2"].message == "On hold: workspace default runs 1 of 1."


def test_what_a_removed_trigger_had_waiting_is_dropped_as_removed() -> None:
    house, record = a_house(overlapPolicy="queue")
    house.fire()
    house.fire()
    house.trigger_verb("remove")
    assert record.of_last() == ["f2 dropped removed as t#2"]


def test_a_run_that_started_and_was_cancelled_in_one_command_has_started() -> None:
    house = House(limit=1)
    house.set(lockKeys=["a", "b"], overlapPolicy="cancel")
    record = Record(house)
    house.fire()
    assert record.of_last() == ["f1 started as t#1", "f2 onHold as t#2"]
    house.fire()
    assert record.of_last() == ["f2 started as t#2", "f4 onHold as t#4", "f3 started as t#3"]


def test_commands_that_are_no_firing_leave_no_decision() -> None:
    house, record = a_house()
    house.trigger_verb("pause")
    assert record.of_last() == []


def test_every_verdict_has_a_word_of_the_api() -> None:
    words = "started onHold waiting queued merged delayed buffered dropped skipped missed"
    assert [verdict.value for verdict in Verdict] == words.split()
