"""Where the parts of the picture stand, policy by policy."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from schedule_bridge.simulate.outcome import Outcome
from schedule_bridge.simulate.picture.lanes import assign_lanes
from simulate.pictures import SCENARIOS, band_of, every, hour_of, picture_of, recorded

if TYPE_CHECKING:
    from schedule_bridge.simulate.picture.shapes import Band


def rows(band: Band) -> list[str]:
    return [row.text for row in band.rows]


def lanes(band: Band) -> int:
    return len({bar.y for bar in band.runs})


def test_skip_shows_ticks_and_runs_on_one_lane() -> None:
    band = band_of(recorded("skip-drops-ticks"))
    assert (rows(band), lanes(band)) == (["ticks", "runs"], 1)
    assert band.sentence == "4 ticks, 3 runs, 1 skipped."


def test_a_started_tick_stands_above_the_left_end_of_its_bar() -> None:
    band = band_of(recorded("skip-drops-ticks"))
    (first, *_), bars = band.stems, {bar.left: bar for bar in band.runs}
    assert band.marks[0].y < first.top < first.bottom == bars[first.x].y - 6


def test_queue_shows_what_waits_and_where_ticks_merged() -> None:
    band = band_of(recorded("queue-one-pending"))
    assert rows(band) == ["ticks", "waiting", "runs"]
    (wait,) = band.waits
    merged = [mark.x for mark in band.marks if mark.outcome is Outcome.MERGED]
    assert (wait.outcome, wait.crossings) == (Outcome.QUEUED, tuple(merged))


def test_an_arrow_leads_from_a_wait_to_its_run() -> None:
    band = band_of(recorded("queue-one-pending"))
    (arrow,), (wait,) = band.arrows, band.waits
    assert arrow.x == wait.right
    assert [bar.y - 6 for bar in band.runs if bar.left == arrow.x] == [arrow.bottom]


def test_allow_uses_a_lane_for_each_concurrent_run() -> None:
    band = band_of(recorded("allow-two"))
    assert (lanes(band), band.aside) == (2, "allow, at most 2 at once")


def test_buffer_holds_its_firing_between_brackets() -> None:
    band = band_of(recorded("buffer-mailbox"))
    (wait,) = band.waits
    assert (wait.outcome, wait.closed) == (Outcome.HELD, True)
    assert [mark.outcome for mark in band.marks if mark.x == wait.right] == [Outcome.DROPPED]


@pytest.mark.parametrize("policy", ["cancel", "terminate"])
def test_a_cut_bar_and_its_successor_use_two_lanes(policy: str) -> None:
    cut, *_, last = sorted(
        band_of(hour_of(every(1200, policy), 1500, 60)).runs, key=lambda bar: bar.left
    )
    successor = next(
        bar for bar in band_of(hour_of(every(1200, policy), 1500, 60)).runs if bar.left == cut.right
    )
    assert successor.y == cut.y + 16
    assert last.y == cut.y


def test_what_a_cancelled_run_lost_reaches_to_its_own_end_and_no_further_than_the_next_bar() -> (
    None
):
    bars = {bar.left: bar for bar in band_of(hour_of(every(1200, "cancel"), 1500, 2000)).runs}
    first, second, third = (bars[left] for left in sorted(bars))
    assert first.lost is not None
    assert first.right < first.lost < third.left
    assert second.lost == picture_of(hour_of(every(1200, "cancel"), 1500, 2000)).right
    assert (third.ending, third.lost) == (None, None)


def test_terminate_leaves_nothing_of_the_lost_rest() -> None:
    band = band_of(hour_of(every(1200, "terminate"), 1500, 60))
    assert {bar.lost for bar in band.runs} == {None}


def test_what_outlasts_the_scenario_reaches_the_end_of_the_axis() -> None:
    picture = picture_of(hour_of(every(1000, "queue")))
    (band,) = picture.bands
    assert band.runs[0].right == band.waits[0].right == picture.right
    assert not band.waits[0].closed


def test_what_begins_at_the_last_instant_has_its_own_lane_too() -> None:
    band = band_of(hour_of(every(3600, "skip", lockKeys=["a", "b"], delaySeconds=60)))
    assert len({wait.y for wait in band.waits}) == 2


def test_a_wait_that_is_cancelled_is_cut_and_leads_nowhere() -> None:
    steps = [{"at": 2500, "do": "cancel", "executionId": "t#2"}]
    band = band_of(hour_of(every(1000, "queue"), steps=steps))
    assert [wait.cancelled for wait in band.waits] == [True, False]
    assert band.arrows == ()


def test_marks_of_one_instant_stand_below_each_other() -> None:
    band = band_of(hour_of(every(1800, "skip", lockKeys=["a", "b", "c"])))
    assert rows(band)[0] == "firings"
    assert len({(mark.x, mark.y) for mark in band.marks}) == len(band.marks) == 6


def test_there_is_a_band_for_every_trigger_one_below_the_other() -> None:
    bands = picture_of(recorded("two-triggers-one-workflow")).bands
    assert [band.title for band in bands] == sorted(band.title for band in bands)
    assert all(one.baseline < next_.top for one, next_ in pairwise(bands))


def test_a_trigger_that_is_declared_later_has_its_band_and_a_name_stands_for_its_id() -> None:
    later = {"at": 10, "do": "setTrigger", "trigger": {"triggerId": "u", "name": "late one"}}
    bands = picture_of({"triggers": [{"triggerId": "t"}], "steps": [later]}).bands
    assert [band.title for band in bands] == ["t", "late one"]


@pytest.mark.parametrize(
    ("name", "legend"),
    [
        ("skip-drops-ticks", ["starts a run", "skipped"]),
        ("queue-one-pending", ["starts a run", "queued", "merged"]),
        ("buffer-mailbox", ["starts a run", "dropped", "held in the slot"]),
        ("delay-merges", ["skipped", "merged", "delayed"]),
        ("on-hold-fifo", ["starts a run", "skipped", "on hold"]),
        ("stale-guard-derived", ["starts a run", "skipped", "expired"]),
    ],
)
def test_the_legend_names_only_what_is_in_view(name: str, legend: list[str]) -> None:
    assert [entry.text for entry in picture_of(recorded(name)).legend] == legend


def test_a_long_legend_goes_on_in_another_line() -> None:
    raw: dict[str, Any] = {
        "until": 7200,
        "workspaces": {"default": {"maxConcurrentExecutions": 2}},
        "triggers": [
            every(600, "cancel"),
            every(900, "queue", maxRunMinutes=20) | {"triggerId": "u"},
            every(450, "allow", delaySeconds=200) | {"triggerId": "v"},
            every(700, "buffer") | {"triggerId": "w"},
        ],
        "runs": {"v": {"durationSeconds": 700, "outcome": "failed"}},
    }
    legend = picture_of(raw).legend
    assert len({entry.y for entry in legend}) == 2
    assert legend[0].x == min(entry.x for entry in legend if entry.y == legend[-1].y)


def test_everything_lies_within_the_picture() -> None:
    for file in SCENARIOS.glob("*.json"):
        picture = picture_of(recorded(file.stem))
        points = [(shape.x, shape.y) for band in picture.bands for shape in band.marks]
        ends = [(bar.right, bar.y) for band in picture.bands for bar in band.waits]
        ends += [(bar.right, bar.y) for band in picture.bands for bar in band.runs]
        assert all(0 < x <= picture.right < picture.width for x, _ in points + ends)
        assert all(0 < y < picture.height for _, y in points + ends)


def test_marks_shrink_where_they_stand_closer_than_twelve_pixels() -> None:
    fifty, many = (
        picture_of({"until": n * 60, "triggers": [every(60, "skip")]}) for n in (50, 500)
    )
    assert not any(mark.small for mark in fifty.bands[0].marks)
    assert all(mark.small for mark in many.bands[0].marks)
    assert many.width > fifty.width


def test_a_long_scenario_has_a_picture_of_a_bounded_size() -> None:
    raw: dict[str, Any] = {
        "until": 8_000,
        "triggers": [every(1, "allow", maxConcurrent=100)],
        "runs": {"t": {"durationSeconds": 50}},
    }
    picture = picture_of(raw)
    (band,) = picture.bands
    assert picture.width < 2000
    assert picture.height < 1000
    assert len(band.marks) + len(band.stems) + len(band.runs) < 20_000


def test_runs_that_find_no_lane_are_counted_in_words() -> None:
    band = band_of(hour_of(every(100, "allow", maxConcurrent=36, maxRunMinutes=90)))
    assert lanes(band) == 24
    assert [note.text for note in band.notes] == ["Not drawn: 12 more running at the same time."]


def test_runs_that_are_too_short_to_tell_apart_still_share_a_lane() -> None:
    raw = {"until": 8_000, "triggers": [every(1, "skip")], "runs": {"t": {"durationSeconds": 1}}}
    band = band_of(raw)
    assert (lanes(band), band.notes) == (1, ())


def test_a_lane_is_used_again_as_soon_as_it_is_free() -> None:
    extents = [(0, 5), (1, 2), (2, 9), (3, 4), (5, 6)]
    assert assign_lanes(extents, most=2) == [0, 1, 1, None, 0]


def test_a_scenario_without_triggers_or_time_has_a_picture_too() -> None:
    assert picture_of({"triggers": []}).bands == ()
    assert band_of({"triggers": [{"triggerId": "t"}]}).sentence == "No ticks."
