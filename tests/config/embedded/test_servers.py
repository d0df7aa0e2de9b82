"""The servers: private, durable, and started again after failures."""

import os
import sys
import time
from pathlib import Path

import psycopg
import pytest
import redis

from config.embedded import EmbeddedError, postgres_bin, throwaway
from config.embedded.home import Home
from config.embedded.postgres import Postgres
from config.embedded.stack import THROWAWAY_PREFIX, addresses, servers
from config.embedded.valkey import Valkey

from .conftest import OWNER, Command, address, finish, processes_of, wait_until


def ask(url: str, query: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute(query).fetchone()
    assert row
    return str(row[0])


@pytest.fixture
def home(folder: Path) -> Home:
    home = Home(folder)
    assert home.acquire()
    return home


def test_servers_are_private_and_allow_many_connections(home: Home) -> None:
    with servers(home, durable=True, variables=["DATABASE_URL", "REDIS_URL"]) as running:
        urls = addresses(running)
        assert ask(urls["DATABASE_URL"], "show listen_addresses") == "127.0.0.1"
        assert ask(urls["DATABASE_URL"], "show unix_socket_directories") == ""
        assert ask(urls["DATABASE_URL"], "show fsync") == "on"
        assert int(ask(urls["DATABASE_URL"], "show max_connections")) >= 200
        assert redis.Redis.from_url(urls["REDIS_URL"]).config_get("bind") == {"bind": "127.0.0.1"}
        password = (home.path / "postgres.password").read_text()
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            ask(urls["DATABASE_URL"].replace(password, "wrong"), "select 1")
        with pytest.raises(redis.AuthenticationError):
            redis.Redis.from_url(urls["REDIS_URL"].replace((home.path / "valkey.password").read_text(), "wrong")).ping()
    secrets = [*home.path.glob("*.password"), home.path / "valkey.conf", home.path / "running.json"]
    assert not [path for path in secrets if path.exists() and path.stat().st_mode & 0o077]
    assert not (home.path / "postgres.initial").exists()
    assert (home.path / "postgres").stat().st_mode & 0o777 == 0o700
    home.release()


def test_two_checkouts_run_at_once(owner, start: Command, tmp_path: Path, folder: Path) -> None:
    other = start("-c", OWNER, home=folder.with_name("other"))
    data = {ask(address(process), "show data_directory") for process in (owner, other)}
    assert data == {str(folder / "postgres"), str(folder.with_name("other") / "postgres")}
    finish(owner)
    finish(other)
    assert processes_of(folder.parent) == []


def test_a_killed_owner_leaves_no_server_and_loses_no_data(owner, start: Command, folder: Path) -> None:
    url = address(owner)
    with psycopg.connect(url) as connection:
        connection.execute("create table kept (word text)")
        connection.execute("insert into kept values ('yes')")
    owner.kill()
    owner.wait()

    successor = start("-c", OWNER)  # at once, while the servers may still be shutting down
    assert ask(address(successor), "select word from kept") == "yes"
    assert len([line for line in processes_of(folder) if "bin/postgres" in line and "-D" in line]) == 1
    successor.kill()
    successor.wait()
    if sys.platform == "linux":  # on other systems the next owner stops the servers
        wait_until(lambda: not processes_of(folder))


def test_a_server_without_an_owner_is_stopped_first(home: Home) -> None:
    orphan = Postgres(home, durable=False)
    orphan.start()
    assert orphan.process
    successor = Postgres(home, durable=False)
    url = successor.start()
    assert orphan.process.wait(10) == 0
    assert ask(url, "select 1") == "1"
    successor.stop()
    home.release()


def test_another_process_with_the_id_of_our_server_is_not_stopped(home: Home) -> None:
    """After a restart of the machine, another process may have the id in the pid file: here, this test."""
    service = Postgres(home, durable=False)
    service.start()
    service.stop()
    (home.path / "postgres/postmaster.pid").write_text(f"{os.getpid()}\n{home.path / 'postgres'}\n")
    home.give_to_servers(home.path / "postgres/postmaster.pid")
    assert ask(service.start(), "select 1") == "1"
    service.stop()
    home.release()


def test_an_interrupted_creation_is_repeated(home: Home) -> None:
    half = home.folder("postgres.new")
    (half / "PG_VERSION").write_text("18\n")
    service = Postgres(home, durable=False)
    assert ask(service.start(), "select 1") == "1"
    assert not half.exists()
    service.stop()
    home.release()


def test_data_of_another_major_version_is_refused_with_advice(home: Home) -> None:
    home.folder("postgres")
    (home.path / "postgres/PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedError, match=r"made by PostgreSQL 9, and this is \d+: .*make reset"):
        Postgres(home, durable=False).start()
    home.release()


def test_a_server_that_cannot_start_shows_its_log(home: Home) -> None:
    service = Valkey(home, durable=False)
    service.prepare()
    (home.path / "valkey/appendonlydir").write_text("not a folder")
    service.durable = True
    with pytest.raises(EmbeddedError, match=r"(?s)valkey ended with 1; the end of .*valkey\.log:.*appendonlydir"):
        service.start()
    home.release()


def test_temporary_servers_are_deleted_with_their_data() -> None:
    with throwaway(durable=False, variables=["DATABASE_URL"]) as urls:
        assert [*urls] == ["DATABASE_URL"]
        data = Path(ask(urls["DATABASE_URL"], "show data_directory"))
        assert ask(urls["DATABASE_URL"], "show fsync") == "off"
        assert data.exists()
    assert not data.parent.exists()


def test_folders_of_killed_runs_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = folder.parent
    folder.mkdir()
    monkeypatch.setattr("tempfile.mkdtemp", lambda **_: str(folder))
    monkeypatch.setattr("config.embedded.stack._parent", lambda **_: parent)
    old, fresh, used = (parent / f"{THROWAWAY_PREFIX}{name}" for name in ("old", "fresh", "used"))
    for path in (old, fresh, used):
        path.mkdir()
    user = Home(used)
    assert user.acquire()
    for path in (old, used):
        os.utime(path, (time.time() - 3600,) * 2)
    with throwaway(durable=False, variables=[]):
        assert (old.exists(), fresh.exists(), used.exists()) == (False, True, True)
    user.release()


def test_pgbench_is_installed() -> None:
    assert (postgres_bin() / "pgbench").exists()
