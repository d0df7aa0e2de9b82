"""What can go wrong, said in one line that a person can act on."""


class EmbeddedError(RuntimeError):
    """Shown to the user without a traceback."""
