"""Calculations that go wrong in every way, run by real workers."""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import subprocess
import sys
import threading
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


@calculation("hazards.leave_behind", version="1", backend=HAZARDS)
def leave_behind(number: Number, tally: str, session: bool = False) -> Answer:
    """Be done while a program that it started, even in a session of its own, goes on."""
    code = "import time; print(1); time.sleep(60)"
    child = subprocess.Popen(
        [sys.executable, "-S", "-u", "-c", code], start_new_session=session, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    child.stdout.readline()
    note(tally, child.pid)
    return Answer(value=number.value, pid=os.getpid())


@calculation("hazards.share", version="1", backend=HAZARDS)
def share(number: Number, megabytes: int, children: int) -> Answer:
    """Hold memory together with forked children, which read it and write none."""
    held = b"x" * (megabytes * 1_000_000)
    pids: list[int] = []
    for _ in range(children):
        pids.append(os.fork())
        if not pids[-1]:
            time.sleep(60)
            os._exit(0)
    time.sleep(2.5)
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return Answer(value=len(held), pid=os.getpid())


@calculation("hazards.map_memory", version="1", backend=HAZARDS)
def map_memory(number: Number, megabytes: int) -> Answer:
    """Hold memory that is nobody's own, as programs do that share it."""
    with mmap.mmap(-1, megabytes * 1_000_000) as shared:
        for _ in range(megabytes):
            shared.write(CHUNK)
        time.sleep(2.0)
    return Answer(value=megabytes, pid=os.getpid())


@calculation("hazards.close_files", version="1", backend=HAZARDS)
def close_files(number: Number, first: int, last: int, seconds: float = 0.0) -> Answer:
    """Close files that are not its own, and then take its time."""
    os.closerange(first, last)
    time.sleep(seconds)
    return Answer(value=number.value, pid=os.getpid())


@calculation("hazards.leap", version="1", backend=HAZARDS)
def leap(number: Number, what: str) -> Answer:
    """Raise what is no ordinary error."""
    raise {"exit": SystemExit(0), "interrupt": KeyboardInterrupt(), "end": GeneratorExit()}[what]


@calculation("hazards.spin", version="1", backend=HAZARDS)
def spin(number: Number) -> Answer:
    """Be done while a thread goes on to print without end."""

    def go_on() -> None:
        while True:
            os.write(1, CHUNK)

    threading.Thread(target=go_on).start()
    return Answer(value=number.value, pid=os.getpid())


@calculation("hazards.double_back", version="1", backend=HAZARDS)
def double_back(number: Number) -> Answer:
    """Fork, and come back twice."""
    child = os.fork()
    return Answer(value=number.value if child else -1.0, pid=os.getpid())


@calculation("hazards.multiply", version="1", backend=HAZARDS)
def multiply(number: Number, children: int, tally: str) -> Answer:
    """Fork children that fork children, every other one in a session of its own."""
    for count in range(children):
        if os.fork() == 0:
            if count % 2:
                os.setsid()
            if os.fork():
                os._exit(0)
            note(tally, os.getpid())
            time.sleep(60)
            os._exit(0)
    note(tally, os.getpid())
    signal.pause()
    raise AssertionError("still alive")


@calculation("hazards.freeze", version="1", backend=HAZARDS, patience=1.0)
def freeze(number: Number) -> Answer:
    """Stop as Ctrl-Z would stop it."""
    os.kill(os.getpid(), signal.SIGSTOP)
    raise AssertionError("nobody noticed")


@calculation("hazards.desert", version="1", backend=HAZARDS)
def desert(number: Number, tally: str) -> Answer:
    """Leave its group of processes for that of its server, and wait."""
    os.setpgid(0, os.getpgid(os.getppid()))
    note(tally, os.getpid())
    signal.pause()
    raise AssertionError("still alive")


def note(tally: str, pid: int) -> None:
    """Write down a process number."""
    with open(tally, "a") as file:
        file.write(f"{pid}\n")
