"""Devices from the modules that drive them: read as text, written to a file, checked, simulated."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "device add",
        "Read a device from the functions of MODULE, which is never run.",
        "workflows.drivers.request:ADD",
        section="Laboratory",
        personal=True,
    ),
    Action(
        "device check",
        "Try every command of DEVICE in every situation.",
        "workflows.drivers.request:CHECK",
        section="Laboratory",
        personal=True,
    ),
    Action(
        "device run",
        "Bring DEVICE, simulated or by its driver, to where it is wished.",
        "workflows.drivers.request:RUN",
        section="Laboratory",
        computes=True,
        personal=True,
        graphs=("device",),
    ),
)
