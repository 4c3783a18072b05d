"""A protocol as a program for PyLabRobot, written from its hardware file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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

LEAST_TIP = 1000.0
"""µL that a tip holds, where no stroke is larger."""


def script(found: HardwareFile) -> str:
    """Return the program of a protocol, which runs as it stands where PyLabRobot is installed.

    Args:
        found: the hardware file.
    """
    robot = Path(__file__).with_name("robot.py").read_text(encoding="utf-8")
    robot = "".join(line for line in robot.splitlines(True) if not line.startswith("# pyright"))
    robot = robot.partition('"""\n\n')[2].lstrip()
    plates = {
        name: (*map(int, one.array.split("x")), one.capacity_uL)
        for name, one in found.plates.items()
    }
    liquids = {name: one.needed for name, one in found.chemicals.items() if one.unit == "uL"}
    tip = max(
        [
            LEAST_TIP,
            *(
                max(dose.strokes, default=0.0)
                for one in found.steps
                if one.unit == "uL"
                for dose in one.doses
            ),
        ]
    )
    data = [
        "PLATES = {  # rows, columns, µL that a vial holds",
        *(f"    {name!r}: {one!r}," for name, one in plates.items()),
        "}",
        "BOTTLES = {  # µL that are needed",
        *(f"    {name!r}: {one!r}," for name, one in liquids.items()),
        "}",
        f"TIP = {tip!r}  # µL",
    ]
    steps = "\n".join(line for one in found.steps for line in _step(one))
    head = HEAD.format(name=found.name, format=found.format)
    return head + robot.rstrip() + "\n\n\n" + "\n".join(data) + "\n" + MAIN.format(steps=steps)


def _step(one: HardwareCommand) -> Iterator[str]:
    """Iterate over the lines of a step."""
    where = f" in {one.plate}" if not one.to else f" from {one.plate} to {one.to}"
    value = "" if one.value is None or not one.unit else f" to {one.value:g} {one.unit}"
    note = f" ({one.note})" if one.note else ""
    said = f"{one.action} {one.parameter}{value}{where}{note}"
    yield ""
    yield f"    # {one.number}. {said}"
    match one.action, one.parameter, one.unit:
        case "Add", name, "mg":
            doses = {dose.vial: dose.amount for dose in one.doses}
            yield from _call("weigh", [name, one.plate], doses)
        case "Add", name, "uL":
            yield from _call(
                "add", [name, one.plate], {dose.vial: dose.strokes for dose in one.doses}
            )
        case "Transfer", _, "uL":
            strokes = {dose.vial: dose.strokes for dose in one.doses}
            yield from _call("transfer", [one.plate, one.to], strokes)
        case "Set", "VortexRate", _:
            yield f"    await bench.shake({one.plate!r}, {one.value!r})"
        case "Set", "HeatingTemp", _:
            yield f"    await bench.heat({one.plate!r}, {one.value!r})"
        case "Set", "Delay", _:
            yield f"    await bench.wait({one.value!r})"
        case _:
            each = ", ".join(f"{dose.vial} {dose.amount:g} {one.unit}" for dose in one.doses)
            yield f"    await bench.person({f'{said}: {each}' if each else said!r})"


def _call(
    name: str, given: list[str], doses: dict[str, float] | dict[str, list[float]]
) -> Iterator[str]:
    yield f"    await bench.{name}("
    yield f"        {', '.join(map(repr, given))},"
    yield "        {"
    yield from (f"            {vial!r}: {dose!r}," for vial, dose in doses.items())
    yield "        },"
    yield "    )"
