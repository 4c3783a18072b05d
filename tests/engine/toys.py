"""Small calculations without chemistry, run by real workers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ogm import GraphModel
from triplestore.errors import RecipeError
from workflows.engine import Backend, calculation, context

TOYS = Backend(name="toys", epoch="1", preload=("tests.engine.toys",), packages=("numpy",))


class Number(GraphModel):
    """A number."""

    value: float


class Answer(GraphModel, identity="result"):
    """A number that was computed, and by whom."""

    value: float
    pid: int
    note: str = ""


@calculation("toys.double", version="1", backend=TOYS)
def double(number: Number, tally: str = "") -> Answer:
    """Double a number; leave a line in the tally file each time it really happens."""
    if tally:
        with open(tally, "a") as file:
            file.write("once\n")
    return Answer(value=2 * number.value, pid=os.getpid())


@calculation("toys.alone", version="1", backend=replace(TOYS, threads=1))
def alone(number: Number) -> Answer:
    """Make use of one thread."""
    return Answer(value=number.value, pid=os.getpid())


@calculation("toys.halve", version="1", backend=TOYS)
def halve_before(number: Number) -> Answer:
    """Halve a number, wrongly if it is odd."""
    return Answer(value=number.value // 2, pid=os.getpid())


def odd(inputs: Sequence[GraphModel]) -> str:
    """Say for which numbers the results were wrong."""
    return "odd 2" if any(isinstance(one, Number) and one.value % 2 for one in inputs) else ""


@calculation("toys.halve", version="1", backend=TOYS, revision=odd)
def halve(number: Number) -> Answer:
    """Halve a number."""
    return Answer(value=number.value / 2, pid=os.getpid())


@calculation("toys.negate", version="1", backend=TOYS)
def negate(answer: Answer) -> Answer:
    """Take the negative of a number that was computed."""
    return Answer(value=-answer.value, pid=os.getpid())


@calculation("toys.slow", version="1", backend=TOYS)
def slow(number: Number, seconds: float, tally: str = "") -> Answer:
    """Take its time, telling how far it is."""
    if tally:
        with open(tally, "a") as file:
            file.write(f"{os.getpid()}\n")
    for step in range(int(seconds * 20)):
        context().report("tick", step=step)
        time.sleep(0.05)
    return Answer(value=number.value, pid=os.getpid())


@calculation("toys.glance", version="1", backend=TOYS, brief=True)
def glance(number: Number) -> Answer:
    """Take a moment."""
    return Answer(value=number.value, pid=os.getpid())


@calculation(
    "toys.approach",
    version="1",
    backend=TOYS,
    finer={"care": ("rough", "fair", "fine"), "digits": (1, 2)},
)
def approach(number: Number, care: str = "fair", *, digits: int = 1, way: str = "") -> Answer:
    """Come as near to a number as was asked for."""
    return Answer(value=number.value, pid=os.getpid(), note=f"{care} {digits} {way}")


@calculation("toys.die", version="1", backend=TOYS)
def die(number: Number, how: int) -> Answer:
    """End by a signal, as the kernel would end it when memory runs out."""
    print("these are my last words", flush=True)
    os.kill(os.getpid(), how)
    time.sleep(5)
    raise AssertionError("still alive")


@calculation("toys.refuse", version="1", backend=TOYS)
def refuse(number: Number) -> Answer:
    """Fail with an error of its own."""
    raise RecipeError("it was asked for", "it cannot be had", "ask for something else")


@calculation("toys.stumble", version="1", backend=TOYS)
def stumble(number: Number) -> Answer:
    """Fail with an error that nobody foresaw."""
    return Answer(value=1 / (number.value - number.value), pid=0)


@calculation("toys.look_around", version="1", backend=TOYS)
def look_around(number: Number) -> Answer:
    """Return the names of the environment's variables and the threads granted."""
    names = sorted(os.environ)
    return Answer(value=context().threads, pid=signal.SIGTERM, note=",".join(names))


def lines(path: Path) -> int:
    """Count the lines of a file that may not exist."""
    return len(path.read_text().splitlines()) if path.exists() else 0
