"""What must last: a small protocol, and the engines that keep to it."""

from schedule_bridge.store.batch import (
    Batch,
    IdempotentAnswer,
    MissedStretch,
    RecentRun,
    SkipStreak,
    TriggerRecord,
)
from schedule_bridge.store.errors import DamagedStoreError, NewerStoreError, StoreError
from schedule_bridge.store.protocol import (
    DecisionQuery,
    ExecutionQuery,
    PruneLimits,
    Snapshot,
    Store,
    TriggerPast,
    WorkspaceRecord,
)
from schedule_bridge.store.sqlite import SqliteStore

__all__ = [
    "Batch",
    "DamagedStoreError",
    "DecisionQuery",
    "ExecutionQuery",
    "IdempotentAnswer",
    "MissedStretch",
    "NewerStoreError",
    "PruneLimits",
    "RecentRun",
    "SkipStreak",
    "Snapshot",
    "SqliteStore",
    "Store",
    "StoreError",
    "TriggerPast",
    "TriggerRecord",
    "WorkspaceRecord",
]
