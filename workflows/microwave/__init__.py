"""A virtual microwave synthesizer: a device whose commands have preconditions.

Its states are simulated. A driver of a real one would stand where `device.Microwave` carries out
commands and reads the conversion; nodes, requests and records stay as they are.
"""

from typing import TYPE_CHECKING

from triplestore.lazy import lazily
from workflows.registry import SubjectKind, Workflow

if TYPE_CHECKING:
    from .clock import Clock, ManualClock, SystemClock
    from .commands import (
        AllocateSession,
        CloseLid,
        Command,
        GetPercentConversion,
        HeatVial,
        LoadVial,
        OpenLid,
        UnloadVial,
        UpdateHeatingParameters,
    )
    from .device import Bench, BusyError, Microwave, RefusedError
    from .graph import MICROWAVE, MicrowaveRequest, make_request, run_microwave
    from .situation import Parameters, Situation

__all__ = [
    "MICROWAVE",
    "AllocateSession",
    "Bench",
    "BusyError",
    "Clock",
    "CloseLid",
    "Command",
    "GetPercentConversion",
    "HeatVial",
    "LoadVial",
    "ManualClock",
    "Microwave",
    "MicrowaveRequest",
    "OpenLid",
    "Parameters",
    "RefusedError",
    "Situation",
    "SystemClock",
    "UnloadVial",
    "UpdateHeatingParameters",
    "make_request",
    "run_microwave",
]

__getattr__ = lazily(
    __name__,
    {
        "AllocateSession": "commands",
        "Bench": "device",
        "BusyError": "device",
        "Clock": "clock",
        "CloseLid": "commands",
        "Command": "commands",
        "GetPercentConversion": "commands",
        "HeatVial": "commands",
        "LoadVial": "commands",
        "MICROWAVE": "graph",
        "ManualClock": "clock",
        "Microwave": "device",
        "MicrowaveRequest": "graph",
        "OpenLid": "commands",
        "Parameters": "situation",
        "RefusedError": "device",
        "Situation": "situation",
        "SystemClock": "clock",
        "UnloadVial": "commands",
        "UpdateHeatingParameters": "commands",
        "make_request": "graph",
        "run_microwave": "graph",
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
