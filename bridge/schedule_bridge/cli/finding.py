"""Which trigger or run a person means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from schedule_bridge.cli.client import BridgeClient, Json, path_of
from schedule_bridge.cli.failures import NotFoundError
from schedule_bridge.core.model import ExecutionId, State
from schedule_bridge.core.sentences import short

if TYPE_CHECKING:
    from collections.abc import Sequence

_CUT: Final = "…"
_LONGEST_ID_SHOWN: Final = 20
_ID_ENDING: Final = 16
_MOST_LISTED: Final = 5
_ACTIVE: Final = tuple(state for state in State if not state.terminal)


def all_triggers(bridge: BridgeClient, workspace_id: str | None = None) -> list[Json]:
    """Every trigger, or every one of a workspace."""
    pages = bridge.pages("/v1/triggers", "triggers", workspaceId=workspace_id)
    return [trigger for page in pages for trigger in page]


def find_trigger(bridge: BridgeClient, text: str) -> Json:
    """The trigger of that id, of that name, or with an id that ends so, as tables show it.

    Raises:
        NotFoundError: none fits, or several do.
    """
    _check_not_empty(text)
    try:
        return bridge.get(path_of("triggers", text))
    except NotFoundError:
        triggers = all_triggers(bridge)
    ending = text.removeprefix(_CUT) or text
    fits = [each for each in triggers if name_of(each) == text] or [
        each for each in triggers if each["triggerId"].endswith(ending)
    ]
    if len(fits) == 1:
        return fits[0]
    if not fits:
        raise NotFoundError(f"No trigger is called {text}, and no trigger's id ends so.")
    ids = _listed([each["triggerId"] for each in fits])
    raise NotFoundError(f"{len(fits)} triggers fit {text}: {ids}. Name one by its id.")


def find_active_execution(bridge: BridgeClient, text: str) -> Json:
    """The execution of that id, or the active one with an id that begins so.

    Raises:
        NotFoundError: none fits, or several do.
    """
    _check_not_empty(text)
    try:
        return bridge.get(path_of("executions", text))
    except NotFoundError:
        active = _active_executions(bridge)
    fits = [each for each in active if each["executionId"].startswith(text)]
    if len(fits) == 1:
        return fits[0]
    if not fits:
        raise NotFoundError(f"No active run's id begins with {text}.")
    ids = _listed([each["executionId"] for each in fits])
    raise NotFoundError(f"{len(fits)} active runs fit {text}: {ids}. Say more of the id.")


def name_of(trigger: Json) -> str:
    """What people call a trigger: its name, or else its id."""
    return str(trigger["configuration"].get("name") or id_ending(trigger["triggerId"]))


def id_ending(trigger_id: str) -> str:
    """A trigger's id, or the ending of a long one; ids of Node-RED's nodes differ in theirs."""
    if len(trigger_id) <= _LONGEST_ID_SHOWN:
        return trigger_id
    return _CUT + trigger_id[-_ID_ENDING:]


def short_id(execution_id: str | None) -> str:
    """An execution's id as people see it; "" for none."""
    return short(ExecutionId(execution_id)) if execution_id else ""


def _active_executions(bridge: BridgeClient) -> list[Json]:
    return [
        execution
        for state in _ACTIVE
        for page in bridge.pages("/v1/executions", "executions", state=state.value)
        for execution in page
    ]


def _check_not_empty(text: str) -> None:
    if not text:
        raise click.UsageError("An empty text names nothing.")


def _listed(ids: Sequence[str]) -> str:
    more = len(ids) - _MOST_LISTED
    return ", ".join(ids[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
