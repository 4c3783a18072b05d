"""A virtual microwave synthesizer: a device whose commands have preconditions and take their time.

Its states are simulated. A driver of a real one would stand where `device.Microwave` carries out
commands and reads the conversion; nodes, requests and records stay as they are.
"""

from typing import TYPE_CHECKING

from triplestore.lazy import lazily
from workflows.registry import SubjectKind, Workflow

if TYPE_CHECKING:
    from .commands import *  # noqa: F403
    from .device import *  # noqa: F403
    from .graph import *  # noqa: F403

COMMANDS = (
    "AllocateSession",
    "OpenLid",
    "CloseLid",
    "LoadVial",
    "UnloadVial",
    "UpdateHeatingParameters",
    "HeatVial",
    "GetPercentConversion",
)

__getattr__ = lazily(
    __name__,
    {
        **dict.fromkeys(("Command", *COMMANDS), "commands"),
        **dict.fromkeys(("BusyError", "ManualClock", "Microwave", "SystemClock"), "device"),
        **dict.fromkeys(("MICROWAVE", "MicrowaveRequest", "RefusedError"), "graph"),
        **dict.fromkeys(("make_request", "run_microwave"), "graph"),
    },
)

WORKFLOWS = (
    Workflow(
        "microwave",
        "Command a virtual microwave synthesizer.",
        "workflows.microwave.graph:DEFINITION",
        synonyms=("synthesizer",),
        subject=SubjectKind(),
        call="(device, session)",
    ),
)
