"""Cron schedules over long times: leap years, counts, intervals, the ends of time."""

import zoneinfo
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedule_bridge.schedule import ZONE_DATA_VERSION, Missed, Schedule
from schedule_bridge.schedule.cron import cron_schedule

ZONES = [
    "UTC",
    "Europe/Budapest",
    "America/New_York",
    "America/Santiago",
    "Pacific/Auckland",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "Asia/Gaza",
]
EXPRESSIONS = [
    "30 2 * * *",
    "0,30 0-3 * * *",
    "*/20 * * * *",
    "15 */2 * * *",
    "*/7 1 * * 0",
    "0 0 1 * *",
    "0 12 29 2 *",
    "5,10 30 1-2 * * *",
]


@given(
    zone=st.sampled_from(ZONES),
    expression=st.sampled_from(EXPRESSIONS),
    start=st.integers(0, 7_000_000_000).map(lambda seconds: seconds * 1_000_000),
)
def test_ticks_go_forward_one_by_one_and_back_the_same_way(
    zone: str, expression: str, start: int, cron: Callable[..., Schedule]
) -> None:
    schedule = cron(expression, zone)
    ticks = [start]
    for _ in range(8):
        following = schedule.next_after(ticks[-1])
        assert following is not None
        assert following > ticks[-1]
        assert schedule.last_at_or_before(following) == following
        assert schedule.last_at_or_before(following - 1) == schedule.last_at_or_before(ticks[-1])
        ticks.append(following)
    assert schedule.latest_between(start, ticks[-1], 8) == ticks[1:]
    assert schedule.missed_between(start, ticks[-1]) == Missed(8, ticks[1], ticks[-1])


def test_the_29_of_february_comes_in_leap_years_only_even_around_2100(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    schedule = cron("0 0 29 2 *", "Europe/Budapest")
    begin, end = instant("2092-01-01T00:00Z"), instant("2205-01-01T00:00Z")
    years = [
        (datetime.fromtimestamp(tick // 1_000_000, UTC) + timedelta(hours=1)).year
        for tick in schedule.latest_between(begin, end, 100)
    ]
    assert years == [2092, 2096, *range(2104, 2200, 4), 2204]


def test_a_leap_day_on_a_sunday_is_found_decades_ahead_and_back(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    schedule = cron("0 0 29 2 */7", "America/New_York")
    earlier, later = instant("2088-02-29T00:00-05:00"), instant("2128-02-29T00:00-05:00")
    assert schedule.next_after(earlier) == later
    assert schedule.last_at_or_before(later - 1) == earlier


def test_missed_ticks_of_a_year_of_seconds_are_counted_without_visiting_them(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    begin, end = instant("2027-01-01T00:00+01:00"), instant("2028-01-01T00:00+01:00")
    second, year = 1_000_000, 365 * 86_400
    real_time = cron("* * * * * *", "Europe/Budapest")
    assert real_time.missed_between(begin, end) == Missed(year, begin + second, end)
    # The hour that does not exist comes down to one tick, which is there anyway.
    once_each = cron("* 0-59 0-23 * * *", "Europe/Budapest")
    assert once_each.missed_between(begin, end) == Missed(year - 3_600, begin + second, end)


def test_a_century_of_minutes_is_counted_exactly(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    begin, end = instant("1970-01-01T00:00Z"), instant("2100-01-01T00:00Z")
    missed = cron("* * * * *", "Pacific/Auckland").missed_between(begin, end)
    minute = 60_000_000
    assert missed == Missed((end - begin) // minute, begin + minute, end)


def test_nothing_is_missed_where_there_is_no_tick(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    schedule = cron("0 9 * * *")
    assert (
        schedule.missed_between(instant("2027-01-01T09:00Z"), instant("2027-01-02T08:59Z")) is None
    )


@pytest.mark.parametrize(
    ("expression", "at", "minutes"),
    [
        ("*/10 * * * *", "2027-01-01T00:10Z", 10),
        ("*/10 * * * *", "2027-01-01T00:14Z", 10),
        ("0 9,17 * * *", "2027-01-01T12:00Z", 8 * 60),
        ("0 9,17 * * *", "2027-01-01T18:00Z", 16 * 60),
    ],
)
def test_the_interval_of_a_cron_schedule_is_the_gap_around_the_start(
    expression: str,
    at: str,
    minutes: int,
    cron: Callable[..., Schedule],
    instant: Callable[[str], int],
) -> None:
    assert cron(expression).interval_at(instant(at)) == minutes * 60_000_000


def test_there_are_no_ticks_before_1970_and_after_2299(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    schedule = cron("0 0 1 7 *", "Europe/Budapest")
    first, last = instant("1970-07-01T00:00+01:00"), instant("2299-07-01T00:00+02:00")
    assert schedule.next_after(-(10**18)) == first
    assert schedule.last_at_or_before(first - 1) is None
    assert schedule.interval_at(first - 1) is None
    assert schedule.last_at_or_before(10**17) == last
    assert schedule.next_after(last) is None
    assert schedule.interval_at(last) is None
    assert schedule.missed_between(last, 10**17) is None


def test_a_week_without_daylight_saving_is_not_overlooked(
    cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    # Recife had summer time for one week only.
    schedule = cron("0 12 * * *", "America/Recife")
    begin, end = instant("2000-10-07T00:00Z"), instant("2000-10-17T00:00Z")
    offsets = {(tick // 3_600_000_000) % 24 for tick in schedule.latest_between(begin, end, 100)}
    assert offsets == {14, 15}


def test_zone_data_come_from_the_pinned_wheel_only() -> None:
    assert zoneinfo.TZPATH == ()
    year, release = version("tzdata").split(".")[:2]
    assert f"{year}{chr(ord('a') + int(release) - 1)}" == ZONE_DATA_VERSION


def test_triggers_with_one_expression_keep_their_own_place() -> None:
    one, other = (cron_schedule("*/5 * * * *", zone) for zone in ("UTC", "Asia/Tokyo"))
    far = one.next_after(86_400_000_000 * 10_000)
    assert other.next_after(0) == 300_000_000
    assert one.next_after(0) == 300_000_000
    assert one.next_after(86_400_000_000 * 10_000) == far
