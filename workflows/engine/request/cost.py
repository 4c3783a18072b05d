"""What a request will take, told before it starts, and refused where nobody has agreed to it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from triplestore.errors import ResourceError
from workflows.text.words import count, duration, number, storage

from ..local.devices import processor
from .measured import Measured

if TYPE_CHECKING:
    from ..execution.executor import Executor

LONG = 24.0
"""Hours beyond which somebody must agree, if nothing else is set."""

TOLD = 60.0
"""s. From there on a person is told how long it will take."""

MINUTES = 300.0
"""s. From there on a person is told what takes less as well."""

LITTLE = 700.0
"""MB that anything may try to use, however little it is granted."""


@dataclass(frozen=True)
class Granted:
    """What a calculation may use here.

    Attributes:
        threads: cores that compute it.
        memory: MB.
        hours: what is too long unless somebody agrees.
        measured: what calculations took, to learn from; None to learn nothing.
    """

    threads: int = 1
    memory: float = 4000.0
    hours: float = LONG
    measured: Measured | None = None


@dataclass(frozen=True)
class Cost:
    """What a calculation, or several of them, will take.

    Attributes:
        size: what it depends on, such as `12 atoms and 130 basis functions`.
        seconds: of time, with the threads that are granted.
        memory: MB, at least.
        disk: MB, for what does not fit into memory.
        factor: within which the time is right, nine times of ten.
        remark: what to know of it before it starts, in words.
        advice: what takes less, in words.
    """

    size: str
    seconds: float
    memory: float
    disk: float = 0.0
    factor: float = 6.0
    remark: str = ""
    advice: str = "ask for less"

    @property
    def text(self) -> str:
        """In words."""
        disk = f", {storage(self.disk)} of disk" if self.disk else ""
        return f"about {duration(self.seconds)}, {storage(self.memory)} of memory{disk}"


class Priced(Protocol):
    """One of the calculations that a request consists of."""

    @property
    def label(self) -> str:
        """What it is, such as `C6H6 at B3LYP/def2-SVP`."""
        ...

    def cost(self, granted: Granted, executor: Executor) -> Cost | None:
        """Return what it will take; None where it is remembered or too small for an estimate."""
        ...


def check(
    parts: Sequence[Priced],
    goal: str,
    executor: Executor,
    hours: float = LONG,
    *,
    force: bool = False,
    processors: Collection[str] = (),
    less: str = "",
) -> Cost | None:
    """Tell the listeners what something will take, and refuse what is too long or too large.

    Args:
        parts: what it consists of, side by side as far as there are slots; the first stands for
            all of it in what is said.
        goal: what is to be reached, in words.
        executor: what will compute it.
        hours: what is too long.
        force: whether everything may pass.
        processors: names of those that will compute it; empty for that of this machine.
        less: options that take less and are told beside other ways; empty for none.

    Returns:
        The estimate; None where none was made.

    Raises:
        ResourceError: it is estimated to take longer, or more memory or disk than there is.
    """
    slots = executor.slots
    threads = executor.policy.threads_per_calculation or max(
        1, slots.total_cores // (slots.slots or 1)
    )
    measured = Measured(executor.kg, processors or (processor(),))
    granted = Granted(threads, slots.memory * threads / slots.total_cores, hours, measured)
    each = [cost for part in parts if (cost := part.cost(granted, executor)) is not None]
    if not each:
        return None
    label, whole = parts[0].label, _together(each, max(1, slots.total_cores // threads))
    about = label.partition(" at ")[0]
    for text in dict.fromkeys(cost.remark for cost in each):
        if text:
            executor.emit("warning", about, reason=text)
    limits = list(_exceeded(whole, hours, granted.memory))
    if not limits and whole.seconds <= TOLD:
        return whole
    if less:
        whole = replace(whole, advice=f"{whole.advice}; energies alone at this level: `{less}`")
    advice = whole.advice if whole.seconds > MINUTES else ""
    executor.emit("estimate", about, text=whole.text, seconds=whole.seconds, advice=advice)
    if force or not limits:
        return whole
    several = f"{count(len(each), 'calculation')} of up to " if len(each) > 1 else ""
    raise ResourceError(
        f"{goal} of {label} was asked for",
        f"with {several}{whole.size} it is estimated to take {whole.text} on "
        f"{count(threads, 'core')}, right within a factor of {number(whole.factor)}; "
        + " and ".join(limits),
        f"{whole.advice}; a person can start it anyway (`force`) or move the limit (the setting "
        "hours)",
    )


def _together(each: Sequence[Cost], beside: int) -> Cost:
    """Return what several calculations take, so many of them beside each other."""
    longest = max(each, key=lambda one: one.seconds)
    return Cost(
        longest.size,
        max(longest.seconds, sum(one.seconds for one in each) / min(beside, len(each))),
        max(one.memory for one in each),
        sum(sorted(one.disk for one in each)[-beside:]),
        longest.factor,
        advice=longest.advice,
    )


def _exceeded(cost: Cost, hours: float, granted: float) -> Iterator[str]:
    """Say which limits a cost exceeds."""
    if cost.seconds > hours * 3600:
        yield f"the limit is {hours:g} hours"
    if cost.memory > max(granted, LITTLE):
        yield f"a calculation here gets {storage(granted)} of memory"
    free = shutil.disk_usage(tempfile.gettempdir()).free / 1e6
    if cost.disk > free:
        yield f"the disk has {storage(free)} free"
