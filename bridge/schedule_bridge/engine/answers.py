"""Requests that named themselves: the same key again gets the same answer (section 7)."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedule_bridge.engine.errors import KeyReusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schedule_bridge.core.model import Instant, WorkspaceId
    from schedule_bridge.store import IdempotentAnswer


@dataclass(slots=True, frozen=True)
class RequestName:
    """What a caller calls its request, if anything; `fingerprint` tells it from another one."""

    key: str | None
    fingerprint: bytes


class Answers:
    """The answers of the last day, the newest of each workspace up to a bound."""

    def __init__(self, kept: Iterable[IdempotentAnswer], per_workspace: int) -> None:
        self._per_workspace = per_workspace
        self._of: dict[WorkspaceId, OrderedDict[str, IdempotentAnswer]] = {}
        for answer in kept:
            self.add(answer)

    def find(self, workspace_id: WorkspaceId, request: RequestName) -> bytes | None:
        """What was answered to this request before, or None if it is new.

        Raises:
            KeyReusedError: the key came before with another body.
        """
        answers = self._of.get(workspace_id)
        key = request.key
        found = answers.get(key) if answers is not None and key is not None else None
        if found is None:
            return None
        if found.fingerprint != request.fingerprint:
            raise KeyReusedError(key)
        return found.answer

    def find_anywhere(self, request: RequestName) -> bytes | None:
        """What was answered to this very request in any workspace.

        For a request about something that is not there any more, so that nobody knows its
        workspace; its fingerprint tells what it was about.
        """
        for answers in self._of.values():
            found = answers.get(request.key or "")
            if found is not None and found.fingerprint == request.fingerprint:
                return found.answer
        return None

    def add(self, answer: IdempotentAnswer) -> None:
        """Remembers an answer."""
        answers = self._of.setdefault(answer.workspace_id, OrderedDict())
        answers[answer.key] = answer
        if len(answers) > self._per_workspace:
            answers.popitem(last=False)

    def forget_before(self, instant: Instant) -> None:
        """Drops what was answered before an instant."""
        for answers in self._of.values():
            while answers and next(iter(answers.values())).answered_at < instant:
                answers.popitem(last=False)
