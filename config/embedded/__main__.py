"""`python -m config.embedded up [--port N]` and `python -m config.embedded reset [--yes]`."""

import argparse
import shutil
import sys

from config.embedded.errors import EmbeddedError
from config.embedded.home import Home, default_path
from config.embedded.stack import KINDS
from config.embedded.up import up


def reset(home: Home, *, sure: bool) -> int:
    """Delete the whole state folder, unless its servers are running."""
    if not home.path.exists():
        print(f"nothing to delete: there is no {home.path}")
        return 0
    if not home.acquire():
        raise EmbeddedError(f"in use by process {home.announced().get('pid', 'unknown')}: stop it first")
    if not sure and input(f"Delete the database and everything else in {home.path}? [y/N] ").strip().lower() != "y":
        print("kept")
        return 0
    for kind in KINDS.values():
        kind(home, durable=True).stop_leftover()
    shutil.rmtree(home.path)
    print("deleted")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m config.embedded", description="The database and Valkey of this checkout."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("up", help="run everything until Ctrl-C")
    run.add_argument("--port", type=int, help="where the web server listens (default: the first free one from 8000)")
    delete = commands.add_parser("reset", help="delete the data")
    delete.add_argument("--yes", action="store_true", help="do not ask")
    arguments = parser.parse_args()
    home = Home(default_path())
    try:
        return up(home, arguments.port) if arguments.command == "up" else reset(home, sure=arguments.yes)
    except EmbeddedError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
