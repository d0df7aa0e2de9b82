"""pgbench: the speed of the database alone."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

from config.embedded import postgres_bin


def transactions_per_second(script: str, *, clients: int, seconds: float) -> float:
    """Run the script with prepared statements. Raises ``RuntimeError`` if pgbench fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.sql"
        path.write_text(script)
        done = subprocess.run(
            [
                str(postgres_bin() / "pgbench"), "--no-vacuum", "--protocol=prepared", f"--client={clients}",
                f"--jobs={min(clients, 2)}", f"--time={max(1, round(seconds))}", f"--file={path}",
                os.environ["DATABASE_URL"],
            ],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    if done.returncode or not found:
        raise RuntimeError(f"pgbench failed:\n{done.stdout}\n{done.stderr}")
    return float(found[1])
