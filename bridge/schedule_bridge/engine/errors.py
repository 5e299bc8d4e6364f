"""What the engine answers instead of a decision. None of them has changed anything."""


class TriggerUnknownError(Exception):
    """No trigger of that id is registered."""


class ExecutionUnknownError(Exception):
    """No execution of that id is known."""


class KeyReusedError(Exception):
    """The idempotency key came before, with another body."""


class StoreUnavailableError(Exception):
    """The store cannot be written at present, so nothing can be decided."""
