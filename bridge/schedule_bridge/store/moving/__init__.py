"""A whole store moved into another one, of the same kind or not."""

from schedule_bridge.store.moving.move import Progress, move
from schedule_bridge.store.moving.tables import End

__all__ = ["End", "Progress", "move"]
