"""The exception of this package."""


class EmbeddedError(RuntimeError):
    """An error whose message is shown to the user without a traceback."""
