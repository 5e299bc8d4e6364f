"""The service's waits, shortened: a generation lives for about a second."""

from schedule_bridge.core.model import SECOND
from schedule_bridge.engine import Settings

PATIENCE = Settings(
    tick_waits_for_client=2 * SECOND,
    unclaimed_after=4 * SECOND,
    detached_grace=3 * SECOND,
    client_gone_after=8 * SECOND,
    deadline_grace=2 * SECOND,
)
