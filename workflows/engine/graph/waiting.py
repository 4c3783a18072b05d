"""Choices where nobody is to be asked: those made before are taken, and a new one is waited for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from ontologies.consent import Deed

from .graph import Menu, Node
from .router import Choice, Crossroads, Router, forced

INTERRUPTED = "interrupted; what is finished is kept: resume the run, or ask again"
"""What is told of a step that somebody stopped."""


class ChoiceError(Exception):
    """A run stops here until somebody chooses; it can be resumed where he is.

    It is no `GraficoError`: nothing has failed, so that no step may count it as a failure of its
    own and go on.

    Attributes:
        run: IRI of the outermost run that it ended.
        pending: names of the steps to choose from.
    """

    run = ""

    def __init__(self, at: Crossroads) -> None:
        super().__init__(menu_in_words(at))
        self.pending = tuple(dict.fromkeys(node.name for node in at.menu.options))


class ApprovalError(ChoiceError):
    """A run stops before a step that acts on the world until a person agrees.

    Attributes:
        deeds: what it would do next, and what is planned behind that.
        why: somebody has to agree, as one clause.
        said_no: whether a person was asked and said no.
    """

    def __init__(self, node: str, deeds: Sequence[Deed], why: str, *, said_no: bool) -> None:
        Exception.__init__(self, f"{node}: {why}")
        self.pending = (node,)
        self.deeds, self.why, self.said_no = tuple(deeds), why, said_no

    @classmethod
    def of_parts(cls, waiting: Sequence[ApprovalError]) -> ApprovalError:
        """Return one error that asks for all that the parts of a step wait for."""
        nodes = dict.fromkeys(name for one in waiting for name in one.pending)
        deeds = {deed.iri: deed for one in waiting for deed in one.deeds}
        whys = dict.fromkeys(one.why for one in waiting)
        return cls(", ".join(nodes), [*deeds.values()], " and ".join(whys), said_no=False)


class Chosen(BaseModel):
    """A choice as it is written down, to be taken elsewhere.

    Attributes:
        node: name of the step.
        inputs: its fields as JSON.
        reason: why.
        by: who chose it in the place of the router, where that happened.
    """

    model_config = ConfigDict(frozen=True)

    node: str
    inputs: str
    reason: str
    by: str = ""

    def on(self, menu: Menu) -> Choice | None:
        """Return it as a choice from a menu; None if it is not there."""
        for node in menu.options:
            if node.name == self.node and node.model_dump_json() == self.inputs:
                return Choice(node, self.reason, self.by)
        return None


class NotingRouter:
    """Chooses as another router does, and notes the last step that was chosen.

    Args:
        router: the other.
    """

    def __init__(self, router: Router) -> None:
        self._router = router
        self.name = router.name
        self.last: tuple[Chosen, ...] = ()

    async def choose(self, at: Crossroads) -> Choice:
        """Return what the other chooses."""
        choice = await self._router.choose(at)
        self.last = () if choice.node is None else (_noted(choice.node, choice),)
        return choice


def _noted(node: Node[Any], choice: Choice) -> Chosen:
    return Chosen(node=node.name, inputs=node.model_dump_json(), reason=choice.reason, by=choice.by)


class WaitingRouter:
    """Takes what was chosen before, and what nobody need be asked about; stops at anything else.

    Args:
        name: of the router that has chosen.
        chosen: what it has chosen, in order.
    """

    def __init__(self, name: str, chosen: Sequence[Chosen] = ()) -> None:
        self.name = name
        self._chosen = list(chosen)

    async def choose(self, at: Crossroads) -> Choice:
        """Return the next choice.

        Raises:
            ChoiceError: there is none yet.
        """
        before = self._chosen.pop(0).on(at.menu) if self._chosen else forced(at)
        if before is None:
            raise ChoiceError(at)
        return before


class EndingRouter:
    """Ends a run where it stands: it has ended before, and only its result is wanted.

    Args:
        name: of the router that has ended it.
        reason: why it ended.
    """

    def __init__(self, name: str, reason: str) -> None:
        self.name, self._reason = name, reason

    async def choose(self, at: Crossroads) -> Choice:
        """Return the end."""
        return Choice(None, self._reason)


def menu_in_words(at: Crossroads) -> str:
    """Return what is to be chosen, and between what."""
    ways = [node.with_fields for node in at.menu.options]
    ways += ["the end"] if at.menu.may_end else []
    behind = f"after {at.last.__name__}" if at.last else "at the beginning"
    return f"{behind}: {' or '.join(filter(None, [', '.join(ways[:-1]), *ways[-1:]]))}"
