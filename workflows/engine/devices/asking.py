"""What a `Device` is asked for, and how it begins: refused while something else goes on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from ..graph.graph import Graph
from ..graph.planner import Goal, Plans, plan
from ..graph.router import Router
from ..graph.run import Finish, run_graph
from ..request.definition import Prepared
from ..request.form import Form
from ..request.workflow import Finished
from .card import Card
from .command import Command, RefusedError, refused
from .device import BenchT, Device, StoredBench
from .meaning import ended
from .standing import Standing
from .taught import taught, told


class DeviceForm(Form):
    """How a device is to stand.

    Attributes:
        graph: of its commands.
        card: which says what these do.
    """

    graph: ClassVar[Graph[Any]]
    card: ClassVar[Card]

    @property
    def wishes(self) -> list[str]:
        """What is asked for, in words."""
        raise NotImplementedError

    def reached(self, at: Standing) -> bool:
        """Tell whether the device stands as it is asked for."""
        raise NotImplementedError

    def is_under_way(self, at: Standing) -> bool:
        """Tell whether what goes on is what is asked for, so that its end is waited for."""
        raise NotImplementedError

    def hindered(self, at: Standing) -> tuple[Command[Any], Standing]:
        """Return the command that matters most, and where it stands in what is not seen to."""
        raise NotImplementedError

    def goal(self) -> Goal:
        """Return what is to be reached."""
        return Goal(", ".join(self.wishes), self.reached)

    def obstacle(self, at: Standing) -> RefusedError:
        """Return why no sequence of commands leads from a situation to what is asked."""
        command, at = self.hindered(at)
        none = "no sequence of commands leads there"
        if rules := ", ".join(f"“{one.rule}”" for one in at.taught.lessons):
            none = f"{none} with what is taught: {rules}; withdraw a rule"
        return refused(command, command.precondition(at) or none)

    def plans(self, at: Standing) -> Plans:
        """Return all shortest plans from a situation; from its end, if that is waited for."""
        candidates, _ = self.graph.bind(self)
        start = ended(self.card, at) if self.is_under_way(at) else at
        return plan(candidates, start, self.goal())


async def prepared(device: Device[Any], request: DeviceForm) -> Prepared[Any]:
    """Find out where a device stands, and what is asked of it; nothing moves."""
    kg, graph = device.executor.kg, request.graph
    bench = replace(device.read(), taught=taught(kg, graph, request))

    def possible() -> Plans:
        plans = request.plans(bench.situation)
        if plans.first() is None:
            raise request.obstacle(bench.situation)
        return plans

    return Prepared(
        bench,
        request.goal() if request.wishes else None,
        (device.model,),
        device.name,
        remarks=tuple(told(kg, graph)),
        begin=lambda: begun(device, request),
        plans=possible,
    )


async def begun(device: Device[BenchT], request: DeviceForm) -> BenchT:
    """Return where a device stands when what is asked can begin.

    If what goes on is just what is asked for, its end is waited for; anything else that lets no
    command be taken is a reason to refuse.

    Raises:
        RefusedError: something else goes on.
    """
    rules = taught(device.executor.kg, request.graph, request)
    bench = replace(device.read(), taught=rules)
    at: Standing = bench.situation
    if at.busy and not request.reached(at):
        if request.is_under_way(at):
            return await device.over(bench)
        for command in (request.plans(ended(request.card, at)).first() or [])[:1]:
            assert isinstance(command, Command)
            device.refuse(command, bench)  # with the time that is left
    return bench


async def run_device(
    device: Device[Any], request: DeviceForm, *, router: Router | None = None
) -> Finish:
    """Bring a device from where it stands to where a request wants it.

    Args:
        device: the device.
        request: what is asked.
        router: who chooses; the goal router if None.

    Raises:
        RefusedError: the device refuses a command, for example while something goes on.
        BusyError: somebody else has commanded the device meanwhile.
    """
    return await run_graph(
        request.graph,
        await begun(device, request),
        request,
        request.goal(),
        device.executor,
        subject=device.name,
        about=(device.model,),
        router=router,
        forms=(request,),
    )


@dataclass(frozen=True)
class DeviceResult(Finished):
    """Where a device stands after what was asked of it."""

    @classmethod
    def of(cls, done: Finished) -> Self:
        """Return what was done.

        Raises:
            RefusedError: no sequence of commands led to what was asked.
        """
        bench: StoredBench = done.state
        request = done.ready.forms[0]
        if done.status != "finished" and isinstance(request, DeviceForm):
            raise request.obstacle(bench.situation)
        return super().of(done)
