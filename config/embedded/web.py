"""The command line of the web server, for `make run`, the benchmarks and the tests."""

CONNECTIONS = 4096  # open connections of each process, mostly event streams; granian's default is a few hundred


def web_server(port: int, *, processes: int) -> tuple[str, ...]:
    """A module for `python -m`, and its arguments. The number of threads is a setting, `WEB_THREADS`.

    The access log is off, as by default, because addresses of event streams can contain a token.
    """
    return (
        "granian", "config.asgi:application", "--interface", "asgi", "--no-ws", "--host", "127.0.0.1",
        "--port", str(port), "--workers", str(processes), "--backlog", "2048", "--backpressure", str(CONNECTIONS),
        "--workers-kill-timeout", "3", "--respawn-failed-workers",
    )  # fmt: skip
