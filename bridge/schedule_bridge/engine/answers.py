"""Requests that named themselves: the same key again gets the same answer (section 7)."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schedule_bridge.engine.errors import KeyReusedError
from schedule_bridge.store.payloads import unpack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.model import Instant, WorkspaceId
    from schedule_bridge.engine.settings import Settings
    from schedule_bridge.store import IdempotentAnswer


@dataclass(slots=True, frozen=True)
class RequestName:
    """What a caller calls its request, if anything; `fingerprint` tells it from another one."""

    key: str | None
    fingerprint: bytes


@dataclass(slots=True, frozen=True)
class Repeated:
    """What was answered to a request of the same name before."""

    answer: Any


@dataclass(slots=True)
class _Kept:
    """The answers of one workspace, oldest first, and the room that they take."""

    answers: OrderedDict[str, IdempotentAnswer] = field(default_factory=OrderedDict)
    size: int = 0

    def add(self, answer: IdempotentAnswer) -> None:
        before = self.answers.pop(answer.key, None)
        self.size += _size(answer) - (0 if before is None else _size(before))
        self.answers[answer.key] = answer

    def drop_oldest(self) -> str:
        key, answer = self.answers.popitem(last=False)
        self.size -= _size(answer)
        return key


class Answers:
    """The answers of the last day, the newest of each workspace up to a number and a size."""

    def __init__(self, kept: Iterable[IdempotentAnswer], settings: Settings) -> None:
        self._most = settings.keys_per_workspace
        self._most_bytes = settings.key_bytes_per_workspace
        self._of: dict[WorkspaceId, _Kept] = {}
        for answer in kept:
            self.add(answer)

    def find(self, workspace_id: WorkspaceId, request: RequestName) -> Repeated | None:
        """What was answered to this request before, or None if it is new.

        What it is about may have moved here from another workspace since, which kept the answer.

        Raises:
            KeyReusedError: the key came before with another body.
        """
        kept = self._of.get(workspace_id)
        key = request.key
        found = kept.answers.get(key) if kept is not None and key is not None else None
        if found is None:
            return None if key is None else self.find_anywhere(request)
        if found.fingerprint != request.fingerprint:
            raise KeyReusedError(key)
        return Repeated(unpack(found.answer))

    def find_anywhere(self, request: RequestName) -> Repeated | None:
        """What was answered to this very request in any workspace.

        For a request about something that is not there any more, or elsewhere, so that nobody
        knows its workspace; its fingerprint tells what it was about.
        """
        for kept in self._of.values():
            found = kept.answers.get(request.key or "")
            if found is not None and found.fingerprint == request.fingerprint:
                return Repeated(unpack(found.answer))
        return None

    def add(self, answer: IdempotentAnswer) -> list[str]:
        """Remembers an answer; which keys of its workspace are forgotten for it, oldest first."""
        kept = self._of.setdefault(answer.workspace_id, _Kept())
        kept.add(answer)
        forgotten = []
        while len(kept.answers) > self._most or kept.size > self._most_bytes:
            forgotten.append(kept.drop_oldest())
        return forgotten

    def forget_before(self, instant: Instant) -> None:
        """Drops what was answered before an instant."""
        for workspace_id, kept in list(self._of.items()):
            while kept.answers and next(iter(kept.answers.values())).answered_at < instant:
                kept.drop_oldest()
            if not kept.answers:
                del self._of[workspace_id]


def _size(answer: IdempotentAnswer) -> int:
    return len(answer.key) + len(answer.fingerprint) + len(answer.answer)
