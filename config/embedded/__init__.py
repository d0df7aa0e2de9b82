"""A private PostgreSQL and Valkey for this checkout, from server binaries that pip has installed.

`python -m config.embedded up` runs the whole product. manage.py commands use its servers or start their own. Tests and
benchmarks get temporary servers. If DATABASE_URL or REDIS_URL is set, that server is used instead. Nothing here imports
Django, because the settings need the addresses of the servers.

The *owner* is the process that started the servers in a state folder. A *guest* is another process that uses them.
"""

from config.embedded.binaries import postgres_bin
from config.embedded.errors import EmbeddedError
from config.embedded.stack import throwaway

__all__ = ["EmbeddedError", "postgres_bin", "throwaway"]
