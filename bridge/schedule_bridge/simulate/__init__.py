"""A scenario through the same state machine as the service, on a virtual clock (simulate.md)."""

from schedule_bridge.simulate.run import TooManyEvents, simulate
from schedule_bridge.simulate.scenario import ScenarioRefused

__all__ = ["ScenarioRefused", "TooManyEvents", "simulate"]
