"""Which configurations are schedules, and what is said of those that are not."""

from collections.abc import Callable

import pytest

from schedule_bridge.schedule import Schedule, ScheduleError, describe, parse_schedule

TAKES = (
    "it takes *, values, lists such as 1,3, ranges such as 1-5 and steps such as */2."
    " {values} go from {bounds}."
)
WEEKDAYS = "Weekdays go from 0 to 7 or sun to sat, 0 and 7 both being Sunday."
FIELDS = (
    "A cron expression has 5 fields (minute, hour, day, month, weekday), or 6 with seconds first"
)
SHORTHANDS = "@hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually"
NEVER = "so this schedule would never run"

REFUSED = [
    ("", "The cron expression is empty."),
    (" \t ", "The cron expression is empty."),
    ("*" * 257, "A cron expression has at most 256 characters."),
    (
        "* * * *\n*",
        "A cron expression is one line of plain text without control characters.",
    ),
    (
        "* * * * *\0",
        "A cron expression is one line of plain text without control characters.",
    ),
    ("* * * *", f"{FIELDS}; this one has 4."),
    ("0 0 0 1 1 * 2030", f"{FIELDS}; this one has 7."),
    ("60 * * * * *", "Second 60 does not exist. Seconds go from 0 to 59."),
    ("60 * * * *", "Minute 60 does not exist. Minutes go from 0 to 59."),
    ("0 25 * * *", "Hour 25 does not exist. Hours go from 0 to 23."),
    ("0 9-24 * * *", "Hour 24 does not exist. Hours go from 0 to 23."),
    ("0 0 0 * *", "Day 0 does not exist. Days of the month go from 1 to 31."),
    ("0 0 32 * *", "Day 32 does not exist. Days of the month go from 1 to 31."),
    ("0 0 1 13 *", "Month 13 does not exist. Months go from 1 to 12 or jan to dec."),
    ("0 0 * * 8", f"Weekday 8 does not exist. {WEEKDAYS}"),
    ("0 17-9 * * *", 'The hour range "17-9" runs backwards. Hours go from 0 to 23.'),
    ("0 9 * * sat-sun", f'The weekday range "sat-sun" runs backwards. {WEEKDAYS}'),
    ("*/0 * * * *", "A step of 0 in the minute field leads nowhere. Minutes go from 0 to 59."),
    ("0 9 30 2 *", f"30 February does not exist, {NEVER}."),
    (
        "0 9 30-31 feb *",
        f"30 February and 31 February do not exist, {NEVER}.",
    ),
    (
        "0 9 31 2,4,6,9,11 */2",
        f"31 February, 31 April, 31 June, 31 September and 31 November do not exist, {NEVER}.",
    ),
    ("@reboot", f'"@reboot" is not one of {SHORTHANDS}.'),
]

UNREADABLE = [
    ("? * * * *", "minute", "?", "Minutes", "0 to 59"),
    ("r * * * *", "minute", "r", "Minutes", "0 to 59"),
    ("R(0-30) * * * *", "minute", "R(0-30)", "Minutes", "0 to 59"),
    ("H/15 * * * *", "minute", "H", "Minutes", "0 to 59"),
    ("-5 * * * *", "minute", "-5", "Minutes", "0 to 59"),
    ("1.5 * * * *", "minute", "1.5", "Minutes", "0 to 59"),
    ("*-5 * * * *", "minute", "*-5", "Minutes", "0 to 59"),
    ("*/x * * * *", "minute", "*/x", "Minutes", "0 to 59"),
    ("1,,2 * * * *", "minute", "", "Minutes", "0 to 59"),
    ("0 ٣ * * *", "hour", "٣", "Hours", "0 to 23"),
    ("0 jan * * *", "hour", "jan", "Hours", "0 to 23"),
    ("0 0 L * *", "day", "L", "Days of the month", "1 to 31"),
    ("0 0 L-1 * *", "day", "L", "Days of the month", "1 to 31"),
    ("0 0 15W * *", "day", "15W", "Days of the month", "1 to 31"),
    ("0 0 1 january *", "month", "january", "Months", "1 to 12 or jan to dec"),
    ("0 0 * * ?", "weekday", "?", "Weekdays", "0 to 7 or sun to sat, 0 and 7 both being Sunday"),
    ("0 0 * * L5", "weekday", "L5", "Weekdays", "0 to 7 or sun to sat, 0 and 7 both being Sunday"),
    (
        "0 0 * * 1#2",
        "weekday",
        "1#2",
        "Weekdays",
        "0 to 7 or sun to sat, 0 and 7 both being Sunday",
    ),
]


@pytest.mark.parametrize(("expression", "sentence"), REFUSED)
def test_a_bad_expression_is_refused_with_a_sentence(
    expression: str, sentence: str, cron: Callable[..., Schedule]
) -> None:
    with pytest.raises(ScheduleError) as refusal:
        cron(expression)
    assert (refusal.value.pointer, str(refusal.value)) == ("/expression", sentence)


@pytest.mark.parametrize(("expression", "field", "culprit", "values", "bounds"), UNREADABLE)
def test_what_this_cron_does_not_know_is_refused_naming_the_field(
    expression: str,
    field: str,
    culprit: str,
    values: str,
    bounds: str,
    cron: Callable[..., Schedule],
) -> None:
    with pytest.raises(ScheduleError) as refusal:
        cron(expression)
    takes = TAKES.format(values=values, bounds=bounds)
    assert str(refusal.value) == f'The {field} field cannot be "{culprit}": {takes}'


def test_what_is_quoted_is_short_and_printable(cron: Callable[..., Schedule]) -> None:
    with pytest.raises(ScheduleError, match=rf'cannot be "{"x" * 40}…": it takes'):
        cron(f"{'x' * 100} * * * *")
    with pytest.raises(ScheduleError, match=r'^Unknown time zone "a\?b"\.$'):
        cron("* * * * *", "a\nb")


@pytest.mark.parametrize(
    "timezone", ["Europe/Nowhere", "Europe", "../zones", "/etc/localtime", "europe/berlin", " "]
)
def test_an_unknown_time_zone_is_refused(timezone: str, cron: Callable[..., Schedule]) -> None:
    with pytest.raises(ScheduleError) as refusal:
        cron("* * * * *", timezone)
    assert refusal.value.pointer == "/timezone"
    assert str(refusal.value) == f'Unknown time zone "{timezone}".'


@pytest.mark.parametrize(
    ("config", "pointer", "sentence"),
    [
        ({}, "/kind", "A schedule's kind is interval, cron or none."),
        ({"kind": "weekly"}, "/kind", "A schedule's kind is interval, cron or none."),
        ({"kind": ["cron"]}, "/kind", "A schedule's kind is interval, cron or none."),
        ({"kind": "cron"}, "/expression", "A cron schedule needs an expression."),
        ({"kind": "cron", "expression": 5}, "/expression", "A cron schedule needs an expression."),
        (
            {"kind": "cron", "expression": "* * * * *", "timezone": 1},
            "/timezone",
            'The time zone is a name such as "Europe/Berlin".',
        ),
    ],
)
def test_a_member_of_the_wrong_kind_is_refused_by_its_pointer(
    config: dict[str, object], pointer: str, sentence: str
) -> None:
    with pytest.raises(ScheduleError) as refusal:
        parse_schedule(config, default_anchor=0)
    assert (refusal.value.pointer, str(refusal.value)) == (pointer, sentence)


def test_describing_a_bad_schedule_raises_the_same_error() -> None:
    with pytest.raises(ScheduleError, match=r"^Hour 25 does not exist\."):
        describe({"kind": "cron", "expression": "0 25 * * *"})


@pytest.mark.parametrize(
    ("expression", "same_as"),
    [
        ("@hourly", "0 * * * *"),
        ("@daily", "0 0 * * *"),
        ("@midnight", "0 0 * * *"),
        ("@weekly", "0 0 * * 0"),
        ("@monthly", "0 0 1 * *"),
        ("@yearly", "0 0 1 1 *"),
        ("@Annually", "0 0 1 1 *"),
        ("  0\t0  1 JAN *  ", "0 0 1 1 *"),
        ("00 000 01 01 *", "0 0 1 1 *"),
        ("0 0 * * sun", "0 0 * * 7"),
        ("0 0 * * 6-7", "0 0 * * sat,sun"),
        ("0 0 * * 5-5", "0 0 * * 5"),
        ("0 0 * * 1/3", "0 0 * * 1,4,7"),
        ("59/15 * * * *", "59 0-23 * * *"),
        ("*/90 * * * *", "0 */1 * * *"),
        ("0 0 1-31 * 5", "0 0 * * *"),
        ("0 0 13 * 0-6", "0 0 * * *"),
        ("0 0 30 2 1", "0 0 * 2 1"),
        ("0 30 2 * * *", "30 2 * * *"),
    ],
)
def test_two_ways_to_write_one_schedule(
    expression: str,
    same_as: str,
    cron: Callable[..., Schedule],
    instant: Callable[[str], int],
) -> None:
    begin, end = instant("2027-01-01T00:00Z"), instant("2029-01-01T00:00Z")
    one, other = cron(expression), cron(same_as)
    assert one.latest_between(begin, end, 500) == other.latest_between(begin, end, 500)
    assert one.missed_between(begin, end) == other.missed_between(begin, end)


@pytest.mark.parametrize("timezone", [None, "", "UTC"])
def test_without_a_time_zone_it_is_utc(
    timezone: str | None, cron: Callable[..., Schedule], instant: Callable[[str], int]
) -> None:
    after, tick = instant("2027-07-01T00:00Z"), instant("2027-07-01T09:00Z")
    assert cron("0 9 * * *", timezone).next_after(after) == tick


@pytest.mark.parametrize("config", [None, {"kind": "none"}])
def test_no_schedule_has_no_ticks(config: dict[str, object] | None) -> None:
    schedule = parse_schedule(config, default_anchor=0)
    assert schedule.next_after(0) is None
    assert schedule.last_at_or_before(0) is None
    assert schedule.interval_at(0) is None
    assert schedule.missed_between(0, 10**15) is None
    assert schedule.latest_between(0, 10**15, 100) == []
