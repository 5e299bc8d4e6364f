"""The next ticks as people see them."""

from collections.abc import Callable

import pytest

from schedule_bridge.schedule import PreviewTick, Schedule, parse_schedule, preview


def test_ticks_show_the_local_time_with_its_offset_and_mark_changes_of_the_clocks(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    schedule = cron("30 2 * * *", "Europe/Budapest")
    ticks = preview(schedule, count=3, after=instant("2027-03-27T00:00Z"))
    assert ticks == [
        PreviewTick(instant("2027-03-27T01:30Z"), "2027-03-27T02:30:00+01:00", clock_change=False),
        PreviewTick(instant("2027-03-28T01:00Z"), "2027-03-28T03:00:00+02:00", clock_change=True),
        PreviewTick(instant("2027-03-29T00:30Z"), "2027-03-29T02:30:00+02:00", clock_change=False),
    ]


def test_the_first_tick_is_marked_if_the_clocks_change_before_it(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    schedule = cron("0 9 * * *", "Australia/Lord_Howe")
    (tick,) = preview(schedule, count=1, after=instant("2027-04-03T14:00Z"))
    assert (tick.local, tick.clock_change) == ("2027-04-04T09:00:00+10:30", True)


def test_ticks_of_an_interval_are_shown_in_utc_and_to_the_millisecond() -> None:
    schedule = parse_schedule({"kind": "interval", "every": 0.5}, default_anchor=0)
    ticks = preview(schedule, count=2, after=0)
    assert [tick.local for tick in ticks] == [
        "1970-01-01T00:00:00.500+00:00",
        "1970-01-01T00:00:01+00:00",
    ]


def test_there_are_fewer_ticks_where_the_schedule_ends(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    ticks = preview(cron("0 0 1 1 *"), count=5, after=instant("2297-06-01T00:00Z"))
    assert [tick.local[:4] for tick in ticks] == ["2298", "2299"]


def test_no_schedule_has_nothing_to_preview() -> None:
    assert preview(parse_schedule(None, default_anchor=0), count=5, after=0) == []


def test_there_are_fewer_ticks_where_calendars_end(instant: Callable[[str], int]) -> None:
    schedule = parse_schedule({"kind": "interval", "every": 1}, default_anchor=0)
    ticks = preview(schedule, count=5, after=instant("9999-12-31T23:59:57Z"))
    assert [tick.local[11:19] for tick in ticks] == ["23:59:58", "23:59:59"]


@pytest.mark.parametrize("after", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_a_preview_may_begin_where_a_zone_has_no_date(
    cron: Callable[..., Schedule], instant: Callable[[str], int], after: str, zone: str
) -> None:
    ticks = preview(cron("* * * * *", zone), count=1, after=instant(after))
    assert [tick.at for tick in ticks] == [0] * (after < "1970")
