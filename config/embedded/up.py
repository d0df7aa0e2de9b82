"""`make run`: the whole product in the foreground, until Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
from typing import Any

from config.embedded import ports
from config.embedded.errors import EmbeddedError
from config.embedded.home import CHECKOUT, Home
from config.embedded.process import die_with_parent
from config.embedded.stack import KINDS, addresses, ignoring_signals, missing, publish, servers
from config.embedded.supervisor import Supervisor
from config.embedded.web import web_server

WEB_PROCESSES, WORKER_PROCESSES = 2, 2
ADMIN_PASSWORD = "admin.password"


def up(home: Home, wanted_port: int | None) -> int:
    """Run everything. Returns the exit code: 0 after a stop signal, 1 if a process ended by itself."""
    for each in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) is not signal.SIG_IGN:  # as under nohup
            signal.signal(each, signal.default_int_handler)
    os.chdir(CHECKOUT)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        if not home.acquire():
            raise EmbeddedError(_already_running(home))
        with ports.reserve(wanted_port) as held:
            return _run(home, held.getsockname()[1])
    except KeyboardInterrupt:
        return 0


def _already_running(home: Home) -> str:
    facts = home.announced()
    if not facts:
        return "another process of this checkout is starting its servers: try again in a moment"
    where = f" at {facts['web']}" if "web" in facts else ""
    return f"`{facts['command']}` of this checkout already runs{where} (process {facts['pid']}): stop it first"


def _run(home: Home, port: int) -> int:
    variables = missing()
    web = f"http://127.0.0.1:{port}"
    if variables:
        print("starting", " and ".join(KINDS[variable].name for variable in variables), flush=True)
    with servers(home, durable=True, variables=variables) as running:
        publish(home, addresses(running), "make run", web=web)
        os.environ.setdefault("FRONTEND_URL", web)  # the start of links in e-mails
        print("preparing the database", flush=True)
        facts = _bootstrap()
        sign_in = _first_password(home, facts["admin_password"], keep="DATABASE_URL" in variables)
        supervisor = Supervisor()
        for service in running.values():
            supervisor.monitor(service.name, service.process)
        try:
            return _run_processes(supervisor, home, port, _banner(web, sign_in, is_empty=facts["empty"]))
        except KeyboardInterrupt:
            print("\nstopping", flush=True)
            return 0
        finally:
            with ignoring_signals():
                supervisor.stop()


def _bootstrap() -> dict[str, Any]:
    """Migrate, and create the default ladder and the first admin, in one process, because Django loads for seconds."""
    done = subprocess.run(
        [sys.executable, "manage.py", "bootstrap"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        start_new_session=True,
        preexec_fn=die_with_parent(signal.SIGTERM),
    )
    *output, last = done.stdout.splitlines() or [""]
    if done.returncode:
        raise EmbeddedError(
            "\n".join([*output, last, f"the database could not be prepared (code {done.returncode})"]).strip()
        )
    facts: dict[str, Any] = json.loads(last)
    return facts


def _run_processes(supervisor: Supervisor, home: Home, port: int, banner: str) -> int:
    """Start the web server first, because people wait for it. The others would slow down its start."""
    supervisor.start("web", *web_server(port, processes=WEB_PROCESSES), DB_POOL="1")
    health_check: ports.HealthCheck | None = ports.HealthCheck(port)
    while (ended := supervisor.ended()) is None:
        supervisor.print_output(0.2)
        if health_check and health_check.has_answer():
            health_check = None
            _start_celery(supervisor, home)
            print(banner, flush=True)
    supervisor.print_output(0.2)  # the last output of the process that ended
    print(f"{ended[0]} ended by itself with {ended[1]}: stopping the rest", file=sys.stderr, flush=True)
    return 1


def _start_celery(supervisor: Supervisor, home: Home) -> None:
    """Start worker and beat. They print only warnings, because messages of all tasks would hide the banner."""
    quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser"}  # the user knows who they are
    celery = ("celery", "--quiet", "--skip-checks", "-A", "config.celery")
    options = ("-c", str(WORKER_PROCESSES), "-l", "WARNING", "--without-mingle", "--without-gossip")
    supervisor.start("worker", *celery, "worker", *options, **quiet)
    schedule = str(home.path / "beat-schedule")
    supervisor.start("beat", *celery, "beat", "-l", "WARNING", "--pidfile=", "--schedule", schedule, **quiet)


def _first_password(home: Home, password: str | None, *, keep: bool) -> str:
    """How to sign in as the first admin, if known. The password for an external database is not stored."""
    path = home.path / ADMIN_PASSWORD
    if not keep:
        return f"user admin, password {password} (shown this once)" if password else ""
    if password:
        home.write(ADMIN_PASSWORD, password)
    return f"user admin, first password {path.read_text()} (kept in {path})" if path.exists() else ""


def _banner(web: str, sign_in: str, *, is_empty: bool) -> str:
    lines = [
        "The ladder is running. Ctrl-C stops it.",
        "",
        f"  API    {web}/api/v1/ladders",
        f"  docs   {web}/api/docs",
        f"  admin  {web}/admin/",
    ]
    if sign_in:
        lines.append(f"         {sign_in}")
    if is_empty:
        lines += ["", "There are no matches yet. `make demo` in another terminal fills the ladder."]
    return "\n" + "\n".join(f"  {line}".rstrip() for line in lines) + "\n"
