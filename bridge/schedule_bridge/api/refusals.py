"""What the routes refuse for reasons of the rules, as problems."""

from __future__ import annotations

from schedule_bridge.api.problems import Problem


class UnknownTrigger(Problem):
    """No trigger of that id is registered."""

    status = 404
    code = "unknown-trigger"
    title = "There is no such trigger"


class UnknownExecution(Problem):
    """No execution of that id is known."""

    status = 404
    code = "unknown-execution"
    title = "There is no such execution"


class UnknownJob(Problem):
    """The execution has no job of that id."""

    status = 404
    code = "unknown-job"
    title = "There is no such job"


class JobRefused(Problem):
    """The job cannot be added, claimed or finished; nothing has changed."""

    status = 409
    code = "job-refused"
    title = "The job is not to be had"


class NotInState(Problem):
    """The execution is not in a state for this; nothing has changed."""

    status = 409
    code = "not-in-state"
    title = "The execution is not in a state for this"


class KeyReused(Problem):
    """The Idempotency-Key came before, with another body."""

    status = 409
    code = "idempotency-key-reused"
    title = "The Idempotency-Key was used for another request"


class StoreUnavailable(Problem):
    """Nothing can be decided or shown while the store cannot be written or read."""

    status = 503
    code = "store-unavailable"
    title = "The store cannot be used at present"


class NotHandedOver(Problem):
    """The workspace stays with the bridge that decides for it."""

    status = 409
    code = "not-handed-over"
    title = "The workspace is not handed over"


class TakesTooLongProblem(Problem):
    """The scenario is not played to its end in the time that is given to one here."""

    status = 400
    code = "takes-too-long"
    title = "The scenario takes too long to play"


class PrintsTooMuchProblem(Problem):
    """The scenario prints larger payloads than are answered here."""

    status = 400
    code = "prints-too-much"
    title = "The scenario prints too much"


class TooManyEventsProblem(Problem):
    """The scenario prints more than is answered here."""

    status = 400
    code = "too-many-events"
    title = "The scenario is too long"
