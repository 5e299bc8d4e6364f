"""A scenario through the same state machine as the service, on a virtual clock (simulate.md)."""

from schedule_bridge.simulate.past import Past
from schedule_bridge.simulate.patience import TakesTooLong
from schedule_bridge.simulate.replay import Replay, replay
from schedule_bridge.simulate.room import PrintsTooMuch, Room
from schedule_bridge.simulate.run import TooManyEvents, play, simulate
from schedule_bridge.simulate.scenario import ScenarioRefused, read_scenario

__all__ = [
    "Past",
    "PrintsTooMuch",
    "Replay",
    "Room",
    "ScenarioRefused",
    "TakesTooLong",
    "TooManyEvents",
    "play",
    "read_scenario",
    "replay",
    "simulate",
]
