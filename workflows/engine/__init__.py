"""The engine: typed graphs, planner and routers, executor, slots and workers.

Nothing in it knows any chemistry. What runs calculations is loaded when first used: workers, which
are only run, start in half the time without.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .execution.calculation import Backend as Backend
from .execution.calculation import Calculation as Calculation
from .execution.calculation import Call as Call
from .execution.calculation import calculation as calculation
from .execution.context import context as context

if TYPE_CHECKING:
    from .running import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    running = import_module(".running", __name__)  # another form of it would ask here again
    # all at once: a function may have the name of its module, which the import has set
    globals().update({one: getattr(running, one) for one in running.__all__})
    if name not in running.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals()[name]
