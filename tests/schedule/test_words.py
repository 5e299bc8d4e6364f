"""Schedules in words."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from schedule_bridge.schedule import ScheduleError, describe

CRON_WORDS = [
    ("*/10 * * * *", "Every 10 minutes"),
    ("* * * * *", "Every minute"),
    ("*/5 * * * * *", "Every 5 seconds"),
    ("30 2 * * *", "At 02:30"),
    ("30 2 * * mon", "At 02:30, only on Monday"),
    ("30 2 * * mon-fri", "At 02:30, Monday to Friday"),
    ("0 0 29 2 *", "At 00:00, on day 29 of the month, only in February"),
    ("@monthly", "At 00:00, on day 1 of the month"),
    ("5/20 * * * *", "At 5, 25, and 45 minutes past the hour"),
    ("*/90 * * * *", "Every hour"),
    ("5,* 9 * * *", "Every minute, 09:00 to 09:59"),
    ("5-5 9 * * *", "At 09:05"),
    ("0 9 1/2 * *", "At 09:00, every 2 days"),
    ("0-20,40-50 * * * *", "At 0 to 20 and 40 to 50 minutes past the hour"),
    (
        "0 9 1 jan-jun,AUG-nov *",
        "At 09:00, on day 1 of the month, only in January to June and August to November",
    ),
    (
        "0 9 1/5,2-8/2 * *",
        "At 09:00, on day 1, 2, 4, 6, 8, 11, 16, 21, 26, and 31 of the month",
    ),
]
DAYS_AND_WEEKDAYS = [
    ("0 0 13 * 5", "At 00:00, on day 13 of the month, or on Friday"),
    ("0 0 */2 * 1", "At 00:00, every 2 days, but only on Monday"),
    ("0 9 1 * 1-3", "At 09:00, on day 1 of the month, or on Monday, Tuesday, and Wednesday"),
    (
        "0 9 1 * */2",
        "At 09:00, on day 1 of the month, but only on Sunday, Tuesday, Thursday, and Saturday",
    ),
    ("0 9 1-31 * 5", "At 09:00"),
    ("0 9 30 2 1", "At 09:00, only on Monday, only in February"),
]


@pytest.mark.parametrize(("expression", "words"), CRON_WORDS)
def test_a_cron_schedule_in_words(expression: str, words: str) -> None:
    assert describe({"kind": "cron", "expression": expression}) == words


@pytest.mark.parametrize(("expression", "words"), DAYS_AND_WEEKDAYS)
def test_words_say_whether_a_day_and_a_weekday_mean_either_or_both(
    expression: str, words: str
) -> None:
    assert describe({"kind": "cron", "expression": expression}) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (600, "Every 10 minutes"),
        (60, "Every minute"),
        (90, "Every 90 seconds"),
        (5_400, "Every 90 minutes"),
        (86_400, "Every day"),
        (172_800, "Every 2 days"),
        (1, "Every second"),
        (0.1, "Every 0.1 seconds"),
        (1_234_567.25, "Every 1234567.25 seconds"),
    ],
)
def test_an_interval_in_words(seconds: float, words: str) -> None:
    assert describe({"kind": "interval", "every": seconds}) == words


@pytest.mark.parametrize("config", [None, {"kind": "none"}])
def test_no_schedule_in_words(config: dict[str, object] | None) -> None:
    assert describe(config) == "No schedule"


def items(low: int, high: int) -> st.SearchStrategy[str]:
    value = st.integers(low, high)
    base = (
        st.just("*")
        | value.map(str)
        | st.tuples(value, value).map(sorted).map("{0[0]}-{0[1]}".format)
    )
    return st.tuples(base, st.just("") | st.integers(1, 70).map("/{}".format)).map("".join)


def fields(low: int, high: int) -> st.SearchStrategy[str]:
    return st.lists(items(low, high), min_size=1, max_size=4).map(",".join)


def accepted_words(expression: str) -> str:
    try:
        return describe({"kind": "cron", "expression": expression})
    except ScheduleError as error:
        assume("would never run" not in str(error))
        raise


@given(
    st.tuples(
        *(fields(0, 59), fields(0, 59), fields(0, 23)),
        *(fields(1, 31), fields(1, 12) | st.sampled_from(["jan", "FEB-dec/2"]), fields(0, 7)),
    )
)
def test_every_expression_that_is_accepted_has_words(texts: tuple[str, ...]) -> None:
    words = accepted_words(" ".join(texts))
    assert words[0].isupper()
    assert "*" not in words
