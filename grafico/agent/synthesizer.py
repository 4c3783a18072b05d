"""The tool that commands the virtual microwave synthesizer; each use needs a person's yes."""

from __future__ import annotations

from typing import Any

from workflows.microwave import Microwave, MicrowaveRequest, make_request, run_microwave

from .desk import Desk
from .toolbox import Found, tool


@tool(MicrowaveRequest, why="it commands a device")
async def microwave(desk: Desk, **asked: Any) -> Found:
    """Say how the virtual microwave synthesizer is to stand (°C, min, atm)."""
    from grafico.inspection import shorten

    wanted = {name: value for name, value in asked.items() if value is not None}
    device = Microwave(desk.session.executor)
    finish = await run_microwave(device, make_request(**wanted))
    bench, at = finish.state, finish.state.situation
    found: Found = {
        "status": finish.status, "message": finish.message, "run": shorten(finish.run),
        "lid": "open" if at.lid_open else "closed", "vial": at.vial, "heating": at.heating,
        "set": str(at.parameters),
    }  # fmt: skip
    if bench.reading is not None:
        found["conversion_percent"] = bench.reading.conversion
        found["reading"] = shorten(bench.reading.iri)
    return found
