"""Slots: who may compute where."""

from __future__ import annotations

import asyncio
import functools
import os
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.trace import get_current_span

from triplestore.errors import GraficoError, InputError
from triplestore.spans import note

from .devices import Gpu, find_gpus, physical_memory, usable_cores
from .tokens import Tokens

A_CARD = 3
"""Slots of a graphics card, if nothing else is set."""

PATIENCE = 1800.0
"""Seconds without a sign of life after which a calculation is given up, if nothing else is set."""

OUR_OWN = "other calculations"
"""Who holds the slots where it is this very process."""

GUEST = "guest_000"
"""The one token beside those of the cores, see `Slots`."""

GUEST_SHARE = 4
"""The part of the memory that it has at most: as much as is left, if Grafico uses four fifths."""

GUEST_AFTER = 2.0
"""Seconds for which a calculation waits for cores before it takes the place of a guest."""

POLL = 0.05
"""Seconds between two looks at tokens that another process holds."""


@dataclass(frozen=True)
class Lease:
    """A part of a machine, held for one calculation.

    Attributes:
        device: `cpu`, or the UUID of a graphics card.
        threads: number of threads.
        memory: in MB.
        gpu_memory: of the card, in MB; 0 without one.
        patience: seconds without a sign of life after which the calculation is given up.
    """

    device: str
    threads: int
    memory: int
    gpu_memory: int = 0
    patience: float = PATIENCE


@dataclass
class _Wish:
    """A request in the queue."""

    kind: str
    count: int
    offer: Lease
    shares: bool
    about: dict[str, Any]
    turn: asyncio.Future[None]
    tokens: list[str] = field(default_factory=list[str])
    locks: list[int] = field(default_factory=list[int])
    ticket: tuple[str, int] | None = None
    since: float = field(default_factory=time.monotonic)


class Slots:
    """The cores and cards of this machine, handed out first come, first served.

    A core is a token, and so is a third of a card. Requests for cores and requests for a card stand
    in a queue each; nobody overtakes in a queue, so that large requests do not starve, but whose
    process was stopped is passed over until it goes on. What takes a moment stands in a third, with
    as many tokens as there are cores, so that it does not wait for what holds these for hours.

    A calculation that does not name its cores gets all of them if it is alone. Where several wait,
    they share the cores out: two small molecules at once are sooner done than one after the other
    with twice the threads.

    While other processes hold all cores, one calculation of a process that has none begins beside
    them after two seconds, with a thread, as a guest: whoever looks at a small molecule does not
    wait for hours. It computes with what the others leave, and it is one at a time. Who names a
    number of cores or of slots has no guests.

    Args:
        total_cores: that may be used; None for those that this process may use.
        memory: in MB, shared out by cores; None for what the machine has.
        slots: calculations at once, on each card (None: 3) or, where there is none, on the cores
            (None: as many as wait); it decides what a calculation gets that does not name its
            cores.
        patience: see `Lease`.
        gpus: None for those that are found, when one is asked for.
        tokens: shared with the other processes of this machine; None for a machine of one's own.
    """

    def __init__(
        self,
        *,
        total_cores: int | None = None,
        memory: int | None = None,
        slots: int | None = None,
        patience: float | None = None,
        gpus: Sequence[Gpu] | None = None,
        tokens: Tokens | None = None,
    ) -> None:
        self.total_cores = total_cores or usable_cores()
        self.memory = memory or physical_memory()
        self.slots = slots
        self.patience = patience or PATIENCE
        self.tokens = tokens
        self._gpus = gpus
        self._held: set[str] = set()
        self._sharing = 0  # leases that share the cores with those who wait
        self._queues: dict[str, deque[_Wish]] = {"cpu": deque(), "gpu": deque(), "brief": deque()}
        self._poll: asyncio.TimerHandle | None = None
        self._polled: asyncio.AbstractEventLoop | None = None

    @functools.cached_property
    def gpus(self) -> list[Gpu]:
        """The cards."""
        return find_gpus() if self._gpus is None else list(self._gpus)

    @property
    def per_card(self) -> int:
        """Slots of a card."""
        return self.slots or A_CARD

    @asynccontextmanager
    async def lease(
        self,
        threads: int | None = None,
        *,
        gpu: bool = False,
        gpu_memory: int | None = None,
        brief: bool = False,
        what: str = "",
        waiting: Callable[[str], None] | None = None,
    ) -> AsyncGenerator[Lease]:
        """Hold a slot; waits for its turn, and gives it back however it ends.

        Args:
            threads: None for a slot's share: of the cores, or of those that belong to a card.
            gpu: on a card, whose threads are not counted among the cores.
            gpu_memory: in MB; more than a slot's share takes several slots of one card.
            brief: it takes a moment, so that it need not wait for cores.
            what: for those who look who holds the slots.
            waiting: called once with the reason if it has to wait.

        Raises:
            InputError: more than the machine has.
        """
        kind, count, offer = self._ask(threads, gpu, gpu_memory, brief)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        shares = kind == "cpu" and threads is None and self.slots is None
        about = {"what": what[:200], "threads": offer.threads}
        wish = _Wish(kind, count, offer, shares, about, turn)
        if (here := get_current_span()).is_recording():
            note(here, queue=self._ahead(kind))
        self._queues[kind].append(wish)
        try:
            self._serve()
            if not turn.done() and waiting is not None:
                waiting(self._reason(kind))
            await turn
            device = wish.tokens[0].rpartition("_")[0] if kind == "gpu" else "cpu"
            offer = wish.offer
            yield Lease(device, offer.threads, offer.memory, offer.gpu_memory, self.patience)
        finally:
            self._give_back(wish)

    def _ask(
        self, threads: int | None, gpu: bool, gpu_memory: int | None, brief: bool
    ) -> tuple[str, int, Lease]:
        """Return the queue, the number of tokens, and what they will give."""
        if not gpu:
            wanted = threads or max(1, self.total_cores // (self.slots or 1))
            self._check_cores(wanted)
            if brief:  # as many threads, so that it finds a worker that has its imports
                return "brief", 1, Lease("cpu", wanted, self.memory // self.total_cores)
            return "cpu", wanted, self._cores(wanted)
        if not self.gpus:
            raise InputError(
                "a graphics card was asked for",
                "this machine has none that Grafico may use",
                "ask without one; see nvidia-smi and CUDA_VISIBLE_DEVICES",
            )
        total = self.per_card * len(self.gpus)
        wanted = threads or max(1, self.total_cores // total)
        self._check_cores(wanted)
        largest = max(card.memory for card in self.gpus)
        if gpu_memory and gpu_memory > largest:
            raise InputError(
                f"{gpu_memory:,} MB of a graphics card were asked for",
                f"the largest here has {largest:,} MB",
                "ask for less, or without a card",
            )
        share = min(card.memory for card in self.gpus) // self.per_card
        count = min(self.per_card, -(-gpu_memory // share)) if gpu_memory and share else 1
        return "gpu", count, Lease("gpu", wanted, self.memory * count // total, share * count)

    def _cores(self, count: int) -> Lease:
        return Lease("cpu", count, self.memory * count // self.total_cores)

    def _check_cores(self, wanted: int) -> None:
        if not 1 <= wanted <= self.total_cores:
            raise InputError(
                f"{wanted} cores were asked for",
                f"this machine lets Grafico use {self.total_cores}",
                f"ask for 1 to {self.total_cores}",
            )

    def _serve(self) -> None:
        """Give whoever is first what it wants, while there is enough."""
        blocked = False
        for queue in self._queues.values():
            while queue and not queue[0].turn.cancelled():
                try:
                    granted = self._grant(queue[0])
                except (GraficoError, OSError) as error:  # the tokens's folder cannot be used
                    queue.popleft().turn.set_exception(error)
                    continue
                if not granted and not self._is_guest(queue[0]):
                    blocked = True
                    break
                wish = queue.popleft()
                self._sharing += wish.shares
                wish.turn.set_result(None)
        loop = asyncio.get_running_loop()
        if self._polled is not loop:
            self._poll, self._polled = None, loop  # the former loop is closed, its timers with it
        if blocked and self.tokens is not None and self._poll is None:
            self._poll = loop.call_later(POLL, self._look_again)

    def _look_again(self) -> None:
        self._poll = None
        self._serve()

    def _grant(self, wish: _Wish) -> bool:
        """Take the tokens that are wished for, all or none."""
        if wish.shares:
            sharing = self._sharing + sum(other.shares for other in self._queues["cpu"])
            wish.count = max(1, self.total_cores // max(1, sharing))
            wish.offer = self._cores(wish.count)
            wish.about["threads"] = wish.count
        if self.tokens is None:
            wish.tokens = self._choose(wish, lambda names: names)
            self._held.update(wish.tokens)
            return bool(wish.tokens)
        tokens = self.tokens
        if not self._allowed(wish):
            return False  # our own limit: nobody else need wait for us
        with tokens.alone():
            ticket = wish.ticket[0] if wish.ticket else None
            if tokens.is_first(wish.kind, ticket):
                wish.tokens = self._choose(wish, tokens.free)
            if not wish.tokens:
                wish.ticket = wish.ticket or tokens.wait(wish.kind, wish.about)
                tokens.look(wish.ticket)
                return False
            try:
                for name in wish.tokens:
                    wish.locks.append(tokens.hold(name, wish.about))
            except BlockingIOError:
                self._let_go(wish)
                return False
            self._held.update(wish.tokens)
            self._leave(wish)
        return True

    def _leave(self, wish: _Wish) -> None:
        """Leave the queue of the machine."""
        if wish.ticket is not None and self.tokens is not None:
            self.tokens.leave(wish.ticket)
            wish.ticket = None

    def _is_guest(self, wish: _Wish) -> bool:
        """Give a calculation the place of a guest, if it has waited and nobody else is one."""
        waited = time.monotonic() - wish.since > GUEST_AFTER
        if self.tokens is None or not (wish.shares and waited) or self._held:
            return False
        with self.tokens.alone():
            if not self.tokens.free([GUEST]):
                return False
            share = min(self.memory // self.total_cores, self.memory // GUEST_SHARE)
            wish.count, wish.offer = 1, Lease("cpu", 1, share)
            wish.about["threads"] = 1
            try:
                wish.locks.append(self.tokens.hold(GUEST, wish.about))
            except BlockingIOError:
                return False
            wish.tokens = [GUEST]
            self._held.add(GUEST)
            self._leave(wish)
        return True

    def _allowed(self, wish: _Wish) -> bool:
        """Whether our own number of cores leaves room, whatever others hold."""
        held = sum(name.startswith(f"{wish.kind}_") for name in self._held)
        return wish.kind == "gpu" or wish.count <= self.total_cores - held

    def _choose(self, wish: _Wish, free: Callable[[list[str]], list[str]]) -> list[str]:
        """Return tokens for a wish, all of one card or all cores; none if there are too few."""
        if wish.kind != "gpu":
            if not self._allowed(wish):
                return []
            cores = range(max(self.total_cores, usable_cores()))
            groups = [[f"{wish.kind}_{core:03d}" for core in cores]]
        else:
            places = range(self.per_card)
            groups = [[f"{card.uuid}_{place}" for place in places] for card in self.gpus]
        left = [free([n for n in names if n not in self._held]) for names in groups]
        best = max(left, key=len)  # the emptiest card
        return best[: wish.count] if len(best) >= wish.count else []

    def _give_back(self, wish: _Wish) -> None:
        queue = self._queues[wish.kind]
        if wish in queue:
            queue.remove(wish)
        self._leave(wish)
        self._sharing -= wish.shares and bool(wish.tokens)
        self._held.difference_update(wish.tokens)
        self._let_go(wish)
        self._serve()

    def _let_go(self, wish: _Wish) -> None:
        for lock in wish.locks:
            os.close(lock)
        wish.locks, wish.tokens = [], []

    def _ahead(self, kind: str) -> int:
        """Return how many wait in a queue, those of other processes included."""
        others = self.tokens.queue() if self.tokens is not None else []
        apart = [one for one in others if one.get("pid") != os.getpid()]
        return len(self._queues[kind]) + sum(one["token"].endswith(kind) for one in apart)

    def _reason(self, kind: str) -> str:
        if self.tokens is not None:
            others = {
                one["pid"]: f"process {one['pid']} ({one.get('what') or 'a calculation'})"
                for one in self.tokens.holders()
                if one.get("pid", os.getpid()) != os.getpid()
            }
            if others:
                held = ", ".join(others[pid] for pid in sorted(others))
                return f"the {kind} slots are held by {held}"
        return f"the {kind} slots are held by {OUR_OWN}"
