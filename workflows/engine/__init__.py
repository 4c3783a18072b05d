"""The engine: typed graphs, planner and routers, executor, slots and workers.

Nothing in it knows any chemistry. What runs calculations is loaded when first used: workers, which
are only run, start in half the time without.
"""

from typing import TYPE_CHECKING, Any

from .execution.calculation import Backend, Calculation, Call, calculation
from .execution.context import context

if TYPE_CHECKING:
    from .running import (
        Answer,
        AskRouter,
        Choice,
        Cost,
        Crossroads,
        Definition,
        Done,
        Event,
        Executor,
        Finish,
        ForbiddenError,
        Form,
        Given,
        Goal,
        GoalRouter,
        Granted,
        Graph,
        Journey,
        Listener,
        Menu,
        ModelRouter,
        Node,
        Parts,
        Plans,
        Prepared,
        Router,
        Slots,
        Stream,
        Subject,
        fan_out,
        plan,
        replay,
        run_all,
        run_graph,
        successors,
    )

__all__ = [
    "Answer",
    "AskRouter",
    "Backend",
    "Calculation",
    "Call",
    "Choice",
    "Cost",
    "Crossroads",
    "Definition",
    "Done",
    "Event",
    "Executor",
    "Finish",
    "ForbiddenError",
    "Form",
    "Given",
    "Goal",
    "GoalRouter",
    "Granted",
    "Graph",
    "Journey",
    "Listener",
    "Menu",
    "ModelRouter",
    "Node",
    "Parts",
    "Plans",
    "Prepared",
    "Router",
    "Slots",
    "Stream",
    "Subject",
    "calculation",
    "context",
    "fan_out",
    "plan",
    "replay",
    "run_all",
    "run_graph",
    "successors",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import running

    # all at once: a function may have the name of its module, which the import has set
    globals().update({one: getattr(running, one) for one in running.__all__})
    return globals()[name]
