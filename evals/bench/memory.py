"""Memory while 100,000 objects stream through push and through pull."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .figures import Figure, say
from .peers import ROOT

OBJECTS = 100_000
LIMIT = 20.0  # MB


def measure(folder: Path) -> Iterator[Figure]:
    """Stream the objects in child processes: in, and out again."""
    for what in ("push", "pull"):
        say(f"memory: {OBJECTS:,} objects through {what}…")
        program = [sys.executable, "-m", "evals.bench.streaming"]
        done = subprocess.run(
            [*program, what, str(folder / "stream"), str(OBJECTS)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=True,
        )
        told = json.loads(done.stdout)
        tenth, half, whole = told["held"]
        most = max(half, whole)
        yield Figure(
            f"stream through {what}",
            most,
            tenth,
            "MB",
            f"after {OBJECTS // 10:,}",
            f"at most {LIMIT:g} MB more",
            most - tenth < LIMIT,
        )
        rate = OBJECTS / told["seconds"]
        yield Figure(f"stream through {what}", rate, None, "objects/s", "-", "shown only", None)
