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

PLACES = {
    "commands": "Command AllocateSession OpenLid CloseLid LoadVial UnloadVial "
    "UpdateHeatingParameters HeatVial GetPercentConversion",
    "device": "Microwave BusyError RefusedError ManualClock SystemClock",
    "graph": "MICROWAVE MicrowaveRequest make_request run_microwave",
}
"""The modules of what is handed out."""

__getattr__ = lazily(__name__, {name: at for at, all in PLACES.items() for name in all.split()})

WORKFLOWS = (
    Workflow(
        "microwave",
        "Command a virtual microwave synthesizer.",
        "workflows.microwave.graph:DEFINITION",
        section="Laboratory",
        synonyms=("synthesizer",),
        subject=SubjectKind(),
        call="(device, session)",
    ),
)
