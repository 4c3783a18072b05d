"""The program of the job that tries a cluster: it says where it is and what it finds."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from pathlib import Path

from triplestore.release import release

from ..execution.task import write

FILE = "probe.json"


if __name__ == "__main__":
    time.sleep(1.0)
    found = {
        "host": platform.node(),
        "python": platform.python_version(),
        "grafico": release(),
        "cores": len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count(),
        "cards": os.environ.get("CUDA_VISIBLE_DEVICES", ""),
    }
    write(Path(sys.argv[1]) / FILE, json.dumps(found).encode())
