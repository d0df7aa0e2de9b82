"""``python -m bench [NAME ...]``: run all benchmarks, or the named ones, on durable throw-away servers."""

from __future__ import annotations

import argparse
import importlib
import os
import sys

from config.embedded import throwaway

NAMES = ("settlement", "http", "streams", "decay", "pairing", "waves", "offers")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; default: all")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each figure is measured")
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    for name in options.names or NAMES:
        with throwaway(durable=True) as urls:
            os.environ.update(urls, DJANGO_SETTINGS_MODULE="config.settings", DB_POOL="0")
            os.environ.setdefault("LOG_LEVEL", "WARNING")
            os.environ.setdefault("DJANGO_SECRET_KEY", "only-for-this-benchmark-" + "0" * 40)
            # Each benchmark has its own process, because Django's settings are per process.
            pid = os.fork()
            if pid == 0:
                importlib.import_module(f"bench.{name}").run(options.seconds)
                sys.stdout.flush()
                os._exit(0)
            _, status = os.waitpid(pid, 0)
            if status:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
