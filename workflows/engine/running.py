"""What runs calculations and graphs: all that a calculation itself can do without."""

from .ask_router import AskRouter
from .events import Event, Listener
from .executor import Answer, Executor
from .fan import Parts, fan_out, run_all
from .graph import Done, Graph, Menu, Node, successors
from .model_router import ModelRouter
from .planner import Goal, Plans, plan
from .replaying import replay
from .router import Choice, Crossroads, GoalRouter, Router
from .run import Finish, ForbiddenError, run_graph
from .slots import Slots
from .stream import Stream

__all__ = [
    "Answer",
    "AskRouter",
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
    "ModelRouter",
    "Node",
    "Parts",
    "Plans",
    "Router",
    "Slots",
    "Stream",
    "fan_out",
    "plan",
    "replay",
    "run_all",
    "run_graph",
    "successors",
]
