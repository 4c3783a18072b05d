"""A protocol as a program for PyLabRobot, written from its hardware file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .hardware import HardwareCommand, HardwareFile

HEAD = """\
# {name}
#
# A protocol as a program for PyLabRobot 0.2, written by Grafico from the hardware file ({format}).
# It is a plan. As it stands nothing moves: PyLabRobot's chatterbox backends print each call, and
# count the liquid in the vials. To drive a device, give `Bench` its backends and its deck. Nobody
# is asked then before it moves, and nothing is recorded but what PyLabRobot records.

"""

MAIN = """

async def main():
    bench = Bench(PLATES, BOTTLES, TIP)
    await bench.setup()
{steps}
    await bench.stop()
    for place, volume in bench.volumes.items():
        print(f"{{place}} holds {{volume:.6f}} µL")


if __name__ == "__main__":
    asyncio.run(main())
"""


def script(found: HardwareFile) -> str:
    """Return the program of a protocol, which runs as it stands where PyLabRobot is installed.

    Args:
        found: the hardware file.
    """
    robot = Path(__file__).with_name("robot.py").read_text(encoding="utf-8")
    robot = "".join(line for line in robot.splitlines(True) if not line.startswith("# pyright"))
    robot = robot.partition('"""\n\n')[2].lstrip()
    data = [
        "PLATES = {  # rows, columns, µL that a vial holds",
        *(f"    {name!r}: {one!r}," for name, one in found.vials.items()),
        "}",
        "BOTTLES = {  # µL that are needed",
        *(f"    {name!r}: {one!r}," for name, one in found.liquids.items()),
        "}",
        f"TIP = {found.tip!r}  # µL",
    ]
    steps = "\n".join(line for one in found.steps for line in _step(one))
    head = HEAD.format(name=found.name, format=found.format)
    return head + robot.rstrip() + "\n\n\n" + "\n".join(data) + "\n" + MAIN.format(steps=steps)


def told(one: HardwareCommand) -> str:
    """Return a step in words."""
    where = f" from {one.plate} to {one.to}" if one.to else f" in {one.plate}"
    value = "" if one.value is None or not one.unit else f" to {one.value:g} {one.unit}"
    note = f" ({one.note})" if one.note else ""
    return f"{one.action} {one.parameter}{value}{where}{note}"


def call(one: HardwareCommand) -> tuple[str, tuple[Any, ...]]:
    """Return the method of a bench (`robot`) that does a step, and what it is given."""
    strokes = {dose.vial: dose.strokes for dose in one.doses}
    match one.action, one.parameter, one.unit:
        case "Add", name, "mg":
            return "weigh", (name, one.plate, {dose.vial: dose.amount for dose in one.doses})
        case "Add", name, _:
            return "add", (name, one.plate, strokes)
        case "Transfer", _, "uL":
            return "transfer", (one.plate, one.to, strokes)
        case "Set", "VortexRate", _:
            return "shake", (one.plate, one.value)
        case "Set", "HeatingTemp", _:
            return "heat", (one.plate, one.value)
        case "Set", "Delay", _:
            return "wait", (one.value,)
        case _:
            each = ", ".join(f"{dose.vial} {dose.amount:g} {one.unit}" for dose in one.doses)
            return "person", (f"{told(one)}: {each}" if each else told(one),)


def _step(one: HardwareCommand) -> Iterator[str]:
    """Iterate over the lines of a step."""
    name, given = call(one)
    yield ""
    yield f"    # {one.number}. {told(one)}"
    if not isinstance(given[-1], dict):
        yield f"    await bench.{name}({', '.join(map(repr, given))})"
        return
    *others, doses = given
    yield f"    await bench.{name}("
    yield f"        {', '.join(map(repr, others))},"
    yield "        {"
    yield from (f"            {vial!r}: {dose!r}," for vial, dose in doses.items())
    yield "        },"
    yield "    )"
