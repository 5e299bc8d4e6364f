"""Owns time and the record: the core, the store and whoever runs executions, brought together."""

from schedule_bridge.engine.answers import RequestName
from schedule_bridge.engine.clock import Alarm, Clock, SystemClock
from schedule_bridge.engine.engine import Engine
from schedule_bridge.engine.errors import (
    ExecutionUnknownError,
    KeyReusedError,
    NotHandedOverError,
    OwnedElsewhereError,
    PeerAwayError,
    StoreUnavailableError,
    TriggerUnknownError,
)
from schedule_bridge.engine.estate import Estate
from schedule_bridge.engine.house import House
from schedule_bridge.engine.occurrences import Occurrence
from schedule_bridge.engine.ownership import BridgeName
from schedule_bridge.engine.presence import Link
from schedule_bridge.engine.registration import Draft, draw_up
from schedule_bridge.engine.settings import Settings
from schedule_bridge.engine.shared_estate import SharedEstate
from schedule_bridge.engine.sole_estate import SoleEstate

__all__ = [
    "Alarm",
    "BridgeName",
    "Clock",
    "Draft",
    "Engine",
    "Estate",
    "ExecutionUnknownError",
    "House",
    "KeyReusedError",
    "Link",
    "NotHandedOverError",
    "Occurrence",
    "OwnedElsewhereError",
    "PeerAwayError",
    "RequestName",
    "Settings",
    "SharedEstate",
    "SoleEstate",
    "StoreUnavailableError",
    "SystemClock",
    "TriggerUnknownError",
    "draw_up",
]
