"""The engine: typed graphs, planner and routers, executor, slots and workers.

Nothing in it knows any chemistry.
"""

from .calculation import Backend, Calculation, Call, calculation
from .context import context
from .events import Event, Listener
from .executor import Answer, Executor
from .graph import Done, Graph, Menu, Node, successors
from .planner import Goal, Plans, plan
from .router import Choice, Crossroads, GoalRouter, Router
from .run import Finish, ForbiddenError, run_graph
from .slots import Slots

__all__ = [
    "Answer",
    "Backend",
    "Calculation",
    "Call",
    "Choice",
    "Crossroads",
    "Done",
    "Event",
    "Executor",
    "Finish",
    "ForbiddenError",
    "Goal",
    "GoalRouter",
    "Graph",
    "Listener",
    "Menu",
    "Node",
    "Plans",
    "Router",
    "Slots",
    "calculation",
    "context",
    "plan",
    "run_graph",
    "successors",
]
