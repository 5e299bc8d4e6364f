"""What must last: a small protocol, and the engines that keep to it."""

from schedule_bridge.store.batch import (
    Batch,
    IdempotentAnswer,
    MissedStretch,
    RecentRun,
    SkipStreak,
    TriggerRecord,
)
from schedule_bridge.store.errors import (
    DamagedStoreError,
    NewerStoreError,
    StaleEpochError,
    StoreError,
)
from schedule_bridge.store.protocol import (
    DecisionQuery,
    ExecutionQuery,
    History,
    PruneLimits,
    Snapshot,
    Store,
    TriggerPast,
    WorkspaceRecord,
)
from schedule_bridge.store.shared import KEPT_SECONDS, Lease, LeasedStore, Leases, SharedDatabase
from schedule_bridge.store.sqlite import SqliteStore

__all__ = [
    "KEPT_SECONDS",
    "Batch",
    "DamagedStoreError",
    "DecisionQuery",
    "ExecutionQuery",
    "History",
    "IdempotentAnswer",
    "Lease",
    "LeasedStore",
    "Leases",
    "MissedStretch",
    "NewerStoreError",
    "PruneLimits",
    "RecentRun",
    "SharedDatabase",
    "SkipStreak",
    "Snapshot",
    "SqliteStore",
    "StaleEpochError",
    "Store",
    "StoreError",
    "TriggerPast",
    "TriggerRecord",
    "WorkspaceRecord",
]
