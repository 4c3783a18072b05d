"""A module that takes its time to be imported, as from a slow disk, and a calculation in it."""

from __future__ import annotations

import os
import time

from tests.engine.toys import Answer, Number
from workflows.engine import Backend, calculation
from workflows.engine.local.pool import MARK

if MARK in os.environ:  # in a worker server
    time.sleep(2.0)

PONDEROUS = Backend(name="ponderous", epoch="1", preload=("tests.engine.ponderous",))


@calculation("ponderous.reach", version="1", backend=PONDEROUS)
def reach(number: Number) -> Answer:
    """Be there at last."""
    return Answer(value=number.value, pid=os.getpid())
