"""Cron schedules against a walk through time, step by step, as Debian's cron goes (R25)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from schedule_bridge.schedule import Missed, Schedule, ScheduleError

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)

# Where clocks change: both hemispheres, half an hour, two hours, midnight, a skipped day, a zone
# that moved by 15 or 30 minutes for good, a week without daylight saving.
CHANGES = [
    ("Europe/Budapest", "2027-03-28T01:00"),
    ("Europe/Budapest", "2027-10-31T01:00"),
    ("Europe/Dublin", "2027-10-31T01:00"),
    ("America/New_York", "2027-03-14T07:00"),
    ("America/New_York", "2027-11-07T06:00"),
    ("America/St_Johns", "2008-03-09T03:31"),
    ("America/Santiago", "2026-09-06T04:00"),
    ("America/Santiago", "2027-04-04T03:00"),
    ("America/Caracas", "2016-05-01T07:00"),
    ("America/Recife", "2000-10-14T23:00"),
    ("Pacific/Auckland", "2027-09-25T14:00"),
    ("Pacific/Auckland", "2027-04-03T14:00"),
    ("Pacific/Apia", "2011-12-30T10:00"),
    ("Pacific/Kwajalein", "1993-08-21T12:00"),
    ("Australia/Lord_Howe", "2027-10-02T15:30"),
    ("Australia/Lord_Howe", "2027-04-03T15:00"),
    ("Antarctica/Troll", "2027-03-28T01:00"),
    ("Antarctica/Troll", "2027-10-31T01:00"),
    ("Africa/Cairo", "2027-04-29T22:00"),
    ("Africa/Cairo", "2027-10-28T21:00"),
    ("Africa/Casablanca", "2027-02-07T02:00"),
    ("Asia/Kathmandu", "1985-12-31T18:30"),
    ("Asia/Pyongyang", "2015-08-14T15:00"),
    ("UTC", "2028-02-29T00:00"),
]


@dataclass(frozen=True)
class Cron:
    """An expression and, apart from any parser, what it means."""

    expression: str
    seconds: frozenset[int] = field(repr=False)
    minutes: frozenset[int] = field(repr=False)
    hours: frozenset[int] = field(repr=False)
    days: frozenset[int] = field(repr=False)
    months: frozenset[int] = field(repr=False)
    weekdays: frozenset[int] = field(repr=False)
    either: bool
    real_time: bool

    def matches(self, wall: datetime) -> bool:
        by_date = wall.day in self.days
        by_weekday = wall.isoweekday() % 7 in self.weekdays
        return (
            wall.second in self.seconds
            and wall.minute in self.minutes
            and wall.hour in self.hours
            and wall.month in self.months
            and ((by_date or by_weekday) if self.either else (by_date and by_weekday))
        )


def items(low: int, high: int) -> st.SearchStrategy[tuple[str, frozenset[int]]]:
    value = st.integers(low, high)
    step = st.integers(1, high + 3)

    def ranged(ends: tuple[int, int], by: int | None) -> tuple[str, frozenset[int]]:
        first, last = sorted(ends)
        suffix = f"/{by}" if by else ""
        return f"{first}-{last}{suffix}", frozenset(range(first, last + 1, by or 1))

    return st.one_of(
        value.map(lambda n: (str(n), frozenset([n]))),
        step.map(lambda n: (f"*/{n}", frozenset(range(low, high + 1, n)))),
        st.builds(ranged, st.tuples(value, value), st.none() | step),
        st.builds(
            lambda first, by: (f"{first}/{by}", frozenset(range(first, high + 1, by))), value, step
        ),
    )


def fields(low: int, high: int) -> st.SearchStrategy[tuple[str, frozenset[int]]]:
    listed = st.lists(items(low, high), min_size=1, max_size=3).map(
        lambda parts: (
            ",".join(text for text, _ in parts),
            frozenset().union(*(values for _, values in parts)),
        )
    )
    return st.just(("*", frozenset(range(low, high + 1)))) | listed


@st.composite
def crons(draw: st.DrawFn, *, with_seconds: bool) -> Cron:
    second = draw(fields(0, 59)) if with_seconds else ("", frozenset([0]))
    minute, hour, day = draw(fields(0, 59)), draw(fields(0, 23)), draw(fields(1, 31))
    month = draw(st.just(("*", frozenset(range(1, 13)))) | fields(1, 12))
    weekday = draw(fields(0, 7))
    texts = [second[0], minute[0], hour[0], day[0], month[0], weekday[0]]
    return Cron(
        expression=" ".join(texts).strip(),
        seconds=second[1],
        minutes=minute[1],
        hours=hour[1],
        days=day[1],
        months=month[1],
        weekdays=frozenset(n % 7 for n in weekday[1]),
        either=not day[0].startswith("*") and not weekday[0].startswith("*"),
        real_time=minute[0].startswith("*") or hour[0].startswith("*"),
    )


def simulate(
    cron: Cron, zone: ZoneInfo, begin: datetime, end: datetime, step: timedelta
) -> Iterator[datetime]:
    """The instants from begin to end at which the simulated cron runs something."""
    seen: set[datetime] = set()
    expected_wall: datetime | None = None
    now = begin
    while now < end:
        wall = now.astimezone(zone).replace(tzinfo=None)
        skipped = range((wall - (expected_wall or wall)) // step)
        if cron.real_time:
            due = cron.matches(wall)
        else:
            made_up = len(skipped) * step < timedelta(hours=3) and any(
                cron.matches(wall - (back + 1) * step) for back in skipped
            )
            due = made_up or (wall not in seen and cron.matches(wall))
        if due:
            yield now
        seen.add(wall)
        expected_wall, now = wall + step, now + step


def micros(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def made(cron: Callable[..., Schedule], expression: str, zone: str) -> Schedule:
    try:
        return cron(expression, zone)
    except ScheduleError as error:
        assume("would never run" not in str(error))
        raise


def ticks_between(schedule: Schedule, after: int, until: int) -> list[int]:
    ticks: list[int] = []
    tick = schedule.next_after(after)
    while tick is not None and tick <= until:
        ticks.append(tick)
        tick = schedule.next_after(tick)
    return ticks


def check(
    schedule: Schedule, simulated: list[int], first: int, last: int, cut: tuple[int, int]
) -> None:
    """Every answer of the schedule about first to last agrees with the simulated ticks."""
    assert ticks_between(schedule, first - 1, last) == simulated
    after, until = sorted(first + part * (last - first) // 10_000 for part in cut)
    expected = [tick for tick in simulated if after < tick <= until]
    missed = Missed(len(expected), expected[0], expected[-1]) if expected else None
    assert schedule.missed_between(after, until) == missed
    assert schedule.latest_between(after, until, 5) == expected[-5:]
    before = [tick for tick in simulated if tick <= until]
    if before:
        assert schedule.last_at_or_before(until) == before[-1]


# Shrinking walks through time again and again, for minutes.
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
CUTS = st.tuples(st.integers(0, 10_000), st.integers(0, 10_000))


@settings(max_examples=80, deadline=None, phases=UNSHRUNK)
@given(
    what=crons(with_seconds=False),
    where=st.sampled_from(CHANGES),
    offset=st.integers(-840, -120),
    cut=CUTS,
)
def test_minute_by_minute_around_a_change_of_the_clocks(
    cron: Callable[..., Schedule],
    what: Cron,
    where: tuple[str, str],
    offset: int,
    cut: tuple[int, int],
) -> None:
    zone, change = where
    begin = datetime.fromisoformat(change).replace(tzinfo=UTC) + offset * MINUTE
    end = begin + timedelta(hours=30)
    schedule = made(cron, what.expression, zone)
    simulated = [micros(at) for at in simulate(what, ZoneInfo(zone), begin, end, MINUTE)]
    check(schedule, simulated, micros(begin), micros(end) - 1, cut)


@settings(max_examples=40, deadline=None, phases=UNSHRUNK)
@given(
    what=crons(with_seconds=True),
    where=st.sampled_from(CHANGES),
    cut=CUTS,
)
def test_second_by_second_around_a_change_of_the_clocks(
    cron: Callable[..., Schedule], what: Cron, where: tuple[str, str], cut: tuple[int, int]
) -> None:
    zone, change = where
    begin = datetime.fromisoformat(change).replace(tzinfo=UTC) - timedelta(minutes=65)
    end = begin + timedelta(hours=3)
    schedule = made(cron, what.expression, zone)
    simulated = [micros(at) for at in simulate(what, ZoneInfo(zone), begin, end, SECOND)]
    check(schedule, simulated, micros(begin), micros(end) - 1, cut)
