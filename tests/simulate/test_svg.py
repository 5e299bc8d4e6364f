"""The picture as an SVG document."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

from schedule_bridge.simulate import read_scenario
from schedule_bridge.simulate.outcome import HUES, Outcome
from schedule_bridge.simulate.picture import draw, lay_out
from schedule_bridge.simulate.picture.glyphs import draw_mark
from simulate.pictures import SCENARIOS, every, hour_of, recorded, svg_of

NAMES = sorted(file.stem for file in SCENARIOS.glob("*.json"))
TAG = "{http://www.w3.org/2000/svg}"
NASTY = '<script>alert(1)</script> & "it\'s" ]]>'


def parts(svg: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter())  # noqa: S314 - our own document


def texts(svg: str) -> list[str]:
    return ["".join(part.itertext()) for part in parts(svg) if part.tag == f"{TAG}text"]


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_well_formed_and_nothing_in_it_runs_or_is_fetched(name: str) -> None:
    svg = svg_of(recorded(name))
    tags = {part.tag.removeprefix(TAG) for part in parts(svg)}
    assert tags <= {"svg", "title", "desc", "style", "defs", "pattern"} | {
        "g",
        "rect",
        "circle",
        "path",
        "text",
        "tspan",
    }
    attributes = {name for part in parts(svg) for name in part.attrib}
    assert not {name for name in attributes if name.startswith("on") or "href" in name}
    assert re.findall(r"url\((?!#)|@import|https?://(?!www\.w3\.org/2000/svg)", svg) == []


def test_texts_of_a_scenario_cannot_break_out() -> None:
    raw = hour_of(every(1000, "skip", name=NASTY))
    raw["triggers"].append({"triggerId": NASTY})
    svg = svg_of(raw)
    assert "<script" not in svg
    assert [text for text in texts(svg) if text.startswith(NASTY)] == [
        f"{NASTY} · skip",
        f"{NASTY} · skip",
    ]


def test_what_xml_cannot_hold_is_replaced() -> None:
    svg = svg_of({"triggers": [{"triggerId": "a\ufffe\x85b"}]})
    assert texts(svg)[0] == "a\ufffd\ufffdb · skip"


def test_a_name_with_its_marks_keeps_its_aside_as_long_as_there_is_room() -> None:
    accented = "e\u0301" * 40
    assert texts(svg_of(hour_of(every(1000, "skip", name=accented))))[0] == f"{accented} · skip"
    half = "x" * 55
    assert texts(svg_of(hour_of(every(1000, "skip", name=half))))[0] == half


def test_a_long_name_is_shortened_to_leave_room_for_the_counts() -> None:
    heading = texts(svg_of(hour_of(every(1000, "skip", name="名" * 200))))[0]
    assert heading.endswith("…")
    assert len(heading) < 40


EVENTS = (
    {"event": "firing.skipped", "reason": "active"},
    {"event": "firing.delayed", "readyAt": 90},
    {"event": "firing.queued", "executionId": "t#1"},
    {"event": "firing.buffered"},
    {"event": "firing.dropped", "reason": "bufferFull"},
    {"event": "execution.waiting", "executionId": "t#1", "lockKey": "k"},
    {"event": "execution.onHold", "executionId": "t#1"},
    {"event": "execution.started", "executionId": "t#1", "payload": None},
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: str(event["event"]))
def test_every_outcome_of_a_firing_has_a_mark(event: dict[str, object]) -> None:
    assert drawn({"at": 60, "triggerId": "t", **event}) > drawn()


@pytest.mark.parametrize("ending", ["completed", "failed", "cancelled", "expired"])
def test_every_end_of_a_run_looks_different_from_a_run_that_goes_on(ending: str) -> None:
    start = {"at": 60, "event": "execution.started", "triggerId": "t", "executionId": "t#1"}
    end = {"at": 100, "event": f"execution.{ending}", "triggerId": "t", "executionId": "t#1"}
    assert picture_text(start, end) != picture_text(start)


def test_merging_releasing_and_a_cancelled_job_are_seen() -> None:
    held = {"at": 60, "event": "firing.buffered", "triggerId": "t"}
    released = {"at": 90, "event": "firing.released", "triggerId": "t"}
    start = {"at": 90, "event": "execution.started", "triggerId": "t", "executionId": "t#1"}
    job = {"at": 99, "event": "job.cancelled", "jobId": "j", "executionId": "t#1"}
    end = {"at": 99, "event": "execution.cancelled", "triggerId": "t", "executionId": "t#1"}
    delayed = {"at": 60, "event": "firing.delayed", "triggerId": "t", "readyAt": 90}
    merged = {"at": 70, "event": "firing.merged", "triggerId": "t"}
    assert drawn(held, released, start) > drawn(held)
    assert "terminated" in picture_text(held, released, start, job, end)
    assert drawn(delayed, merged) > drawn(delayed)


def picture_text(*printed: dict[str, object]) -> str:
    scenario = read_scenario({"until": 120, "triggers": [{"triggerId": "t"}]})
    return draw(lay_out(scenario, printed))


def drawn(*printed: dict[str, object]) -> int:
    return len(parts(picture_text(*printed)))


def test_shapes_differ_without_their_colours() -> None:
    hues = "|".join(set(HUES.values()))
    shapes: dict[Outcome, str] = {}
    for outcome in set(Outcome) - {Outcome.COMPLETED, Outcome.DELAYED}:
        mark = draw_mark(ET.Element("g"), outcome, 0, 0, small=False)
        shapes[outcome] = re.sub(rf" ({hues})\b", "", ET.tostring(mark, encoding="unicode"))
    assert len(set(shapes.values())) == len(shapes)


def test_a_small_skip_is_its_slash_alone() -> None:
    ring, slash = (
        draw_mark(ET.Element("g"), Outcome.SKIPPED, 0, 0, small=small) for small in (False, True)
    )
    assert ([part.tag for part in ring], [part.tag for part in slash]) == (
        ["circle", "path"],
        ["path"],
    )


def test_the_lost_rest_of_a_cancelled_run_is_dashed() -> None:
    looks = [part.get("class") for part in parts(svg_of(hour_of(every(1200, "cancel"), 1500)))]
    assert "lost" in looks
    assert ".lost{stroke-dasharray:" in svg_of({"triggers": []})


def test_a_picture_is_for_light_and_dark() -> None:
    svg = svg_of(recorded("skip-drops-ticks"))
    light, dark = svg.split("@media (prefers-color-scheme:dark)")
    assert "#0d74ce" in light
    assert "#5cb3ff" in dark
    assert re.findall("#[0-9a-f]{6}", dark.split("</style>")[1]) == []


def test_a_picture_says_in_words_what_it_shows() -> None:
    svg = svg_of(recorded("skip-drops-ticks"))
    (said,) = (part.text for part in parts(svg) if part.tag == f"{TAG}desc")
    assert said == "t: 4 ticks, 3 runs, 1 skipped."


def test_the_same_scenario_gives_the_same_picture() -> None:
    raw = json.dumps(recorded("queue-one-pending"))
    assert svg_of(json.loads(raw)) == svg_of(json.loads(raw))
