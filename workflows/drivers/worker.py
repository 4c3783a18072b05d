"""The process in which a trusted module drives its device; started as a script, see `process`.

It imports nothing of Grafico. A line of JSON on standard input is a command, and a line on the pipe
that was standard output is what came of it. What the module prints is no answer: it goes to
standard error. It ends as soon as nobody is there to command it.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import queue
import resource
import sys
import threading
import types
from collections.abc import Callable
from typing import Any, cast

LONGEST = 1000
"""Letters of a state, or of an error, that are told."""

NAME = "driven_module"
"""Under which the module knows itself, so that it stands for none that it imports."""

LEAVING = 2.0
"""Seconds for what the module has registered to be done at the end."""

Answer = dict[str, Any]


class _RefusedError(Exception):
    """A command cannot be given; nothing of the module was called."""


class _Channel:
    """Where answers go, from this process alone: a copy of it says nothing."""

    def __init__(self) -> None:
        self._file, self._lock = os.dup(1), threading.Lock()
        os.dup2(2, 1)
        os.register_at_fork(after_in_child=self._close)
        self._mine = os.getpid()

    def _close(self) -> None:
        os.close(self._file)

    def tell(self, **said: Any) -> None:
        if os.getpid() != self._mine:  # the module has forked, and both have come back
            os._exit(0)
        line = json.dumps(said).encode() + b"\n"
        with self._lock:
            while line:
                line = line[os.write(self._file, line) :]


def _loaded(begun: Answer) -> Any:
    """Return the module, run, or the object of its class that is the device."""
    module = types.ModuleType(NAME)
    module.__file__ = begun["file"]
    sys.modules[NAME] = module
    exec(compile(begun["text"], begun["file"], "exec"), module.__dict__)
    if not begun["part"]:
        return module
    kind = getattr(module, begun["part"], None)
    if not isinstance(kind, type) or kind.__module__ != NAME:
        raise LookupError(f"it has no class {begun['part']} of its own")
    return kind(**begun["arguments"])


def _own(device: Any, name: str) -> Callable[..., Any]:
    """Return a function of the module, or a method of its class: not what it has imported.

    Raises:
        _RefusedError: there is none.
    """
    kind = device.__class__
    is_module = kind is types.ModuleType
    function = getattr(device, name, None) if is_module or hasattr(kind, name) else None
    foreign = is_module and getattr(function, "__module__", "") != NAME
    if name.startswith("_") or not callable(function) or foreign:
        raise _RefusedError(f"the module has no function {name} of its own")
    return function


def _boxes(device: Any) -> list[Any]:
    """Return what may keep states: the device, and dictionaries and objects of its module."""
    return [device] + [
        one
        for name, one in sys.modules[NAME].__dict__.items()
        if not name.startswith("__")
        and one is not device
        and (isinstance(one, dict) or (type(one).__module__ == NAME and not isinstance(one, type)))
    ]


def _held(box: Any, name: str) -> Any:
    """Return a state that something keeps; `...` if it keeps none of that name."""
    has_keys = isinstance(box, dict)
    held = cast("Any", box).get(name, ...) if has_keys else getattr(box, name, ...)
    return held if held is None or isinstance(held, bool | int | float | str) else ...


def _states(names: list[str], device: Any) -> Answer:
    """Return the states that can be read."""
    boxes, found = _boxes(device), Answer()
    for name in names:
        held = next((one for box in boxes if (one := _held(box, name)) is not ...), ...)
        if held is not ...:
            found[name] = held[:LONGEST] if isinstance(held, str) else held
    return found


def _put(name: str, value: Any, device: Any) -> None:
    """Let the module know a state as it is."""
    for box in _boxes(device):
        if _held(box, name) is not ...:
            if isinstance(box, dict):
                box[name] = value
            else:
                setattr(box, name, value)
            return


def _done(device: Any, asked: Answer, loop: asyncio.AbstractEventLoop) -> None:
    """Call what a command names.

    Raises:
        _RefusedError: it is not there, or does not take that.
    """
    function = _own(device, asked["do"])
    try:
        inspect.signature(function).bind(**asked["given"])
    except (TypeError, ValueError) as error:
        raise _RefusedError(f"{asked['do']}: {error}") from error
    found = function(**asked["given"])
    if inspect.isawaitable(found):
        found = loop.run_until_complete(found)  # pyright: ignore[reportArgumentType]
    if found is False:
        raise RuntimeError("it returned False")


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:LONGEST]


def _answered(channel: _Channel, number: int, work: Callable[[], Answer]) -> bool:
    """Tell what comes of something; return whether it went well."""
    try:
        channel.tell(id=number, states=work())
        return True
    except _RefusedError as error:
        channel.tell(id=number, refused=str(error)[:LONGEST])
    except BaseException as error:
        channel.tell(id=number, failed=_said(error))
    return False


def _halted(device: Any, name: str) -> Answer:
    _own(device, name)()
    return {}


def main() -> None:
    """Load the module that the first line names, and do what the others say."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    lines = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    channel = _Channel()
    begun: Answer = json.loads(lines.readline())
    names: list[str] = begun["states"]
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    pending: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
    device: Any = None
    busy = threading.Event()
    busy.set()

    def listen() -> None:
        for line in lines:
            asked: Answer = json.loads(line)
            if "halt" not in asked:
                busy.set()
                pending.put(asked)
                continue
            called = (channel, asked["id"], lambda: _halted(device, begun["halt"]))
            threading.Thread(target=_answered, args=called, daemon=True).start()
        if busy.is_set():  # whoever comes next is told of a command that was cut off
            os._exit(1)
        pending.put(None)
        threading.Event().wait(LEAVING)
        os._exit(1)

    def load() -> Answer:
        nonlocal device
        device = _loaded(begun)
        if begun["halt"]:
            _own(device, begun["halt"])
        return _states(names, device)

    threading.Thread(target=listen, daemon=True).start()
    if not _answered(channel, 0, load):
        os._exit(1)
    busy.clear()

    def act(asked: Answer) -> Answer:
        for name, one in asked.get("put", {}).items():
            _put(name, one, device)
        _done(device, asked, loop)
        return _states(names, device)

    while (one := pending.get()) is not None:
        _answered(channel, one["id"], lambda given=one: act(given))
        busy.clear()


if __name__ == "__main__":
    main()
