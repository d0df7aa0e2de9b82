"""The web server as we start it: in `make run`, in the benchmarks and in the tests."""

CONNECTIONS = 4096  # open at once in each process, most of them event streams; granian's own limit is a few hundred


def web_server(port: int, *, processes: int) -> tuple[str, ...]:
    """A module for `python -m`, and its arguments. How many threads a process has is a setting, `WEB_THREADS`.

    The access log stays off, as it is by default: addresses of event streams may carry a token.
    """
    return (
        "granian", "config.asgi:application", "--interface", "asgi", "--no-ws", "--host", "127.0.0.1",
        "--port", str(port), "--workers", str(processes), "--backlog", "2048", "--backpressure", str(CONNECTIONS),
        "--workers-kill-timeout", "3", "--respawn-failed-workers",
    )  # fmt: skip
