"""A private PostgreSQL: only on 127.0.0.1, with a password, and with the same collation on every system."""

import shutil
import signal
import subprocess
from pathlib import Path
from typing import ClassVar

from config.embedded.binaries import postgres_bin, runnable
from config.embedded.errors import EmbeddedError
from config.embedded.process import as_account
from config.embedded.service import Service

NAME = "ladder"  # of the role and the database


class Postgres(Service):
    name: ClassVar[str] = "postgres"
    stop_signal: ClassVar[signal.Signals] = signal.SIGINT  # "fast shutdown": ends the sessions and writes all data

    @property
    def _password(self) -> str:
        return self.home.secret("postgres.password")

    @property
    def url(self) -> str:
        return f"postgresql://{NAME}:{self._password}@127.0.0.1:{self.port}/{NAME}"

    @property
    def pid_file(self) -> Path:
        return self.data / "postmaster.pid"

    def prepare(self) -> None:
        self.programs = runnable(postgres_bin() / "postgres", 2, self.home.account, self.home.path).parent
        if not self.data.exists():
            self._create()
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != (wanted := self._major_version()):
            raise EmbeddedError(
                f"{self.data} was made by PostgreSQL {found}, and this is {wanted}: "
                "save what you need with the old version, then delete the data with `make reset`"
            )

    def _major_version(self) -> str:
        return self._run("postgres", "--version").split()[2].split(".")[0]

    def _create(self) -> None:
        """Create the database in another folder and rename it when it is complete, in case this is interrupted."""
        new = self.data.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        self.home.folder(new.name)
        password = self.home.write("postgres.initial", self._password)
        self.home.give_to_servers(password)
        self._run(
            *("initdb", "-D", str(new), "-U", NAME, "--auth=scram-sha-256", f"--pwfile={password}", "-E", "UTF8"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
            # Each connection proves the password as often as the password was hashed: for a few minutes once is enough.
            *(() if self.durable else ("--no-sync", "-c", "scram_iterations=1")),
        )
        password.unlink()
        # Single-user mode needs no port and no password.
        self._run("postgres", "--single", "-D", str(new), "postgres", stdin=f"CREATE DATABASE {NAME}\n")
        new.rename(self.data)

    def _run(self, program: str, *arguments: str, stdin: str = "") -> str:
        options = as_account(self.home.account, self.home.path)
        del options["stdin"]
        done: subprocess.CompletedProcess[str] = subprocess.run(
            [self.programs / program, *arguments], input=stdin, capture_output=True, text=True, check=False, **options
        )
        if done.returncode:
            raise EmbeddedError(f"{program} failed: {done.stderr.strip()[-1500:]}")
        return done.stdout

    def command(self) -> list[str]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "200",
            "timezone": "UTC",
        }
        if not self.durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        return [str(self.programs / "postgres"), "-D", str(self.data), *options]

    def ready(self) -> bool:
        """The eighth line of the pid file is PostgreSQL's state. pg_ctl checks it in the same way."""
        try:
            lines = self.pid_file.read_text().split("\n")
        except FileNotFoundError:
            return False
        return len(lines) > 7 and lines[7].strip() == "ready"
