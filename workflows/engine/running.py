"""What runs calculations and graphs: all that a calculation itself can do without."""

from .execution.answer import Answer
from .execution.events import Event, Listener
from .execution.executor import Executor
from .execution.stream import Stream
from .graph.ask_router import AskRouter
from .graph.effects import Target
from .graph.fan import Parts, fan_out, run_all
from .graph.graph import Done, Graph, Menu, Node, successors
from .graph.model_router import ModelRouter
from .graph.planner import Goal, Plans, plan
from .graph.replaying import replay
from .graph.router import Choice, Crossroads, GoalRouter, Router
from .graph.run import Finish, ForbiddenError, Journey, run_graph
from .graph.steps import Findings, Step, StepGraph, step
from .local.slots import Slots
from .request.cost import Cost, Granted
from .request.definition import Definition, Given, Prepared, Subject
from .request.form import Form

__all__ = [
    "Answer",
    "AskRouter",
    "Choice",
    "Cost",
    "Crossroads",
    "Definition",
    "Done",
    "Event",
    "Executor",
    "Findings",
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
    "Step",
    "StepGraph",
    "Stream",
    "Subject",
    "Target",
    "fan_out",
    "plan",
    "replay",
    "run_all",
    "run_graph",
    "step",
    "successors",
]
