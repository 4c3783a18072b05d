"""Which worker runs what: the tests of a file stay with one, so that what they share is made once.

`tests/conftest.py` registers it as a plugin, in the place of the order of `--dist loadgroup`, which
gives each test to whoever is free. Groups (`xdist_group`) come first, the largest at the head, and
stay whole; then files, in their order. When none is left, who has nothing to do takes half of what
another one has of its file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

import pytest
from xdist.scheduler import LoadGroupScheduling

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.workermanage import WorkerController

AHEAD = 3
"""Tests that a worker knows: it begins none before it knows the next, and is not to wait for it."""


class Part(deque[int]):
    """Numbers of tests that follow each other in one process."""

    def __init__(self, numbers: Iterable[int] = (), whole: bool = False) -> None:
        super().__init__(numbers)
        self.whole = whole

    def half(self) -> Part:
        """Take the second half out, the larger one."""
        return Part(reversed([self.pop() for _ in range((len(self) + 1) // 2)]))


class FileScheduling(LoadGroupScheduling):
    """Gives out groups and files, a few tests at a time; each step costs the same."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        super().__init__(config, log)
        self.parts: deque[Part] = deque()
        self.own: dict[WorkerController, Part] = {}
        self.sent: dict[WorkerController, dict[int, None]] = {}

    @property
    def nodes(self) -> list[WorkerController]:
        return [*self.sent]

    @property
    def tests_finished(self) -> bool:
        """Whether each worker has at most one test left, which it begins when it is told to end."""
        idle = self.collection_is_completed and not self.parts and not any(self.own.values())
        return idle and all(len(one) < 2 for one in self.sent.values())

    @property
    def has_pending(self) -> bool:
        return bool(self.parts) or any(self.own.values()) or any(self.sent.values())

    def add_node(self, node: WorkerController) -> None:
        assert node not in self.sent
        self.sent[node], self.own[node] = {}, Part()
        self.assigned_work[node] = {}  # where the collection is compared

    def remove_node(self, node: WorkerController) -> str | None:
        """Forget a worker that has ended; what it has not begun is for others.

        Returns:
            The test at which it died, if it did.
        """
        del self.assigned_work[node]
        sent, own = [*self.sent.pop(node)], self.own.pop(node)
        if not sent or self.collection is None:
            return None
        own.extendleft(reversed(sent[1:]))
        if own:
            self.parts.appendleft(own)
        for other in self.sent:
            self.feed(other)
        return self.collection[sent[0]]

    def mark_test_complete(
        self, node: WorkerController, item_index: int, duration: float = 0
    ) -> None:
        del self.sent[node][item_index]
        self.feed(node)

    def mark_test_pending(self, item: str) -> NoReturn:
        raise NotImplementedError

    def schedule(self) -> None:
        """Give each worker its first tests, once all have found the same ones."""
        assert self.collection_is_completed
        if self.collection is None:
            if not self._check_nodes_have_same_collection():
                self.log("**Different tests collected, aborting run**")
                return
            self.collection = [*next(iter(self.registered_collections.values()))]
            self.divide(self.collection)
        for node in self.sent:
            self.feed(node)

    def divide(self, tests: list[str]) -> None:
        """Put tests together that belong together."""
        groups: dict[str, Part] = {}
        files: dict[str, Part] = {}
        for number, test in enumerate(tests):
            group = self._split_scope(test)
            if group == test:
                files.setdefault(test.partition("::")[0], Part()).append(number)
            else:
                groups.setdefault(group, Part(whole=True)).append(number)
        self.parts.extend(sorted(groups.values(), key=len, reverse=True))
        self.parts.extend(files.values())

    def feed(self, node: WorkerController) -> None:
        """Send a worker more tests, or its end where there are none."""
        if node.shutting_down:
            return
        more: list[int] = []
        while len(self.sent[node]) + len(more) < AHEAD:
            if not self.own[node]:
                self.own[node] = self.parts.popleft() if self.parts else self.taken()
            if not self.own[node]:
                break
            more.append(self.own[node].popleft())
        if more:
            self.sent[node].update(dict.fromkeys(more))
            with suppress(OSError):  # it has just died, which is told next: they are for others
                node.send_runtest_some(more)
        if not self.own[node] and not self.parts and not self.taken_from():
            node.shutdown()

    def taken_from(self) -> Part | None:
        """Return the longest rest of a file that some worker has."""
        return max(
            (one for one in self.own.values() if one and not one.whole), key=len, default=None
        )

    def taken(self) -> Part:
        """Take half of it."""
        longest = self.taken_from()
        return longest.half() if longest else Part()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadGroupScheduling | None:
    return FileScheduling(config, log) if config.getvalue("dist") == "loadgroup" else None
