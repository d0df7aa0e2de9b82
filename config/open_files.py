"""The limit of open files of a process."""

import resource


def allow_open_files(number: int) -> None:
    """Raise the limit of open files and connections to ``number``, if allowed. On many systems it starts at 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
