"""Calculations that go wrong in every way, run by real workers."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time

from tests.engine.toys import Answer, Number
from workflows.engine import Backend, calculation

HAZARDS = Backend(name="hazards", epoch="1", preload=("tests.engine.hazards",))

CHUNK = b"x" * 999_999 + b"\n"


@calculation("hazards.signal", version="1", backend=HAZARDS)
def send(number: Number, how: int) -> Answer:
    """End by a signal that it sends to itself."""
    os.kill(os.getpid(), how)
    time.sleep(5)
    raise AssertionError("still alive")


@calculation("hazards.null_pointer", version="1", backend=HAZARDS)
def null_pointer(number: Number) -> Answer:
    """Read where nothing is, after C has printed a line."""
    ctypes.CDLL(None).puts(b"printed by C")
    ctypes.string_at(0)
    raise AssertionError("still alive")


@calculation("hazards.leave", version="1", backend=HAZARDS)
def leave(number: Number, status: int) -> Answer:
    """End the whole process, as some C libraries do."""
    os._exit(status)


@calculation("hazards.hoard", version="1", backend=HAZARDS)
def hoard(number: Number, megabytes: int, in_child: bool = False) -> Answer:
    """Hold more and more memory, itself or in a program that it starts."""
    if in_child:
        code = f"import time; held = b'x' * {megabytes * 1_000_000}; time.sleep(60)"
        subprocess.run([sys.executable, "-S", "-c", code], check=True)
    held: list[bytes] = []
    while len(held) < megabytes:
        held.append(b"x" * 1_000_000)
        time.sleep(0.002)
    time.sleep(0.5)
    return Answer(value=len(held), pid=os.getpid())


@calculation("hazards.reserve", version="1", backend=HAZARDS)
def reserve(number: Number) -> Answer:
    """Ask for more memory than any machine has."""
    return Answer(value=len(bytearray(1 << 60)), pid=0)


@calculation("hazards.hang", version="1", backend=HAZARDS, patience=1.0)
def hang(number: Number) -> Answer:
    """Do nothing at all."""
    print("I wait for Godot")
    time.sleep(60)
    raise AssertionError("nobody noticed")


@calculation("hazards.toil", version="1", backend=HAZARDS, patience=1.0)
def toil(number: Number, seconds: float, in_child: bool = False) -> Answer:
    """Work hard and say nothing, itself or in a program that it starts."""
    code = f"import time\nend = time.monotonic() + {seconds}\nwhile time.monotonic() < end: pass"
    if in_child:
        subprocess.run([sys.executable, "-S", "-c", code], check=True)
    else:
        exec(code, {})
    return Answer(value=number.value, pid=os.getpid())


@calculation("hazards.chatter", version="1", backend=HAZARDS)
def chatter(number: Number, megabytes: int, then: int = 0) -> Answer:
    """Print without end, then live or die."""
    for _ in range(megabytes):
        os.write(1, CHUNK)
    print("that was all")
    if then:
        os.kill(os.getpid(), then)
        time.sleep(5)
    return Answer(value=number.value, pid=os.getpid())


@calculation("hazards.breed", version="1", backend=HAZARDS)
def breed(number: Number, tally: str) -> Answer:
    """Start a program, write down both process numbers, and sleep."""
    child = subprocess.Popen(["sleep", "60"])
    with open(tally, "a") as file:
        file.write(f"{os.getpid()} {child.pid}\n")
    signal.pause()
    raise AssertionError("still alive")


@calculation("hazards.fork_and_crash", version="1", backend=HAZARDS)
def fork_and_crash(number: Number) -> Answer:
    """Die while a child of its own lives on and holds what it had open."""
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError("still alive")
