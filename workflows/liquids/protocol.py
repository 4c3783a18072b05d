"""A verified protocol: from a design to amounts, steps and what a device is told."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .checks import Review, meeting, verified
from .design import Design
from .hardware import HardwareFile, hardware_file
from .reading import design_of
from .steps import Laid, Step, lay, planned
from .substances import SOURCE, known

PLAN = "this is a plan: nothing has been dispensed, and no device is driven"


@dataclass(frozen=True)
class Protocol:
    """A verified protocol.

    Attributes:
        design: that it is planned from.
        laid: what goes into which vial.
        steps: in order.
        hardware: the same for a device.
        repairs: what verifiers changed.
        remarks: what to know of it.
    """

    design: Design
    laid: Laid
    steps: tuple[Step, ...]
    hardware: HardwareFile
    repairs: tuple[str, ...]
    remarks: tuple[str, ...]

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in _lines(self))

    @property
    def amounts(self) -> dict[str, dict[str, dict[str, float]]]:
        """What is added, in mg of solids and µL of liquids, by plate, vial and name."""
        found = dict[str, dict[str, dict[str, float]]]()
        for (plate, name), doses in self.laid.needed.items():
            for vial, dose in doses.items():
                found.setdefault(plate, {}).setdefault(vial, {})[name] = dose
        return found

    @property
    def table(self) -> str:
        """Amounts as CSV: a line a vial and a column a chemical, with units."""
        target, rows = io.StringIO(), self.amounts
        names = list(dict.fromkeys(name for _, name in self.laid.needed))
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow(["plate", "vial", *(f"{n} ({_unit(self.design, n)})" for n in names)])
        for plate, vials in rows.items():
            for vial in sorted(vials, key=lambda one: (one[0], int(one[1:]))):
                doses = vials[vial]
                cells = [f"{doses[n]:.6f}" if n in doses else "0" for n in names]
                writer.writerow([plate, vial, *cells])
        return target.getvalue()


def protocol(given: object, steps: Sequence[Step] | None = None) -> Protocol:
    """Return the verified protocol of a design.

    Args:
        given: as `design_of` takes it.
        steps: what somebody else proposes, to be verified and repaired; planned if None.

    Raises:
        InputError: it cannot be carried out; says why and what to do.
        NotFoundError: there is no such file.
    """
    design = design_of(given)
    substances, keys, remarks = known(design)
    laid = lay(substances)
    review: Review = verified(laid, planned(laid) if steps is None else steps)
    names = dict.fromkeys(name for _, name in laid.needed)
    used = {name: substances.densities[name] for name in names if name in substances.densities}
    remarks += [
        f"density of {name}: {one.value} at {one.temperature} ({one.source})"
        for name, one in used.items()
        if one.source == SOURCE
    ]
    warm = {str(one.temperature) for one in used.values()}
    if warm:
        remarks.append(f"densities hold at {', '.join(sorted(warm))}; volumes are taken to add up")
    if design.solid_volume == "neglected" and any(map(design.is_solid, design.chemicals)):
        remarks.append("the volume that solids take is neglected: vials hold more than is said")
    if any(one.capped_by_hand for one in laid.plates.values()):
        remarks.append("a person caps vials by hand before they are heated or mixed")
    remarks += [f"together: {one}" for one in meeting(laid)]
    hardware = hardware_file(laid, review.steps, keys)
    return Protocol(
        design, laid, tuple(review.steps), hardware, tuple(review.repairs), (*remarks, PLAN)
    )


def _unit(design: Design, name: str) -> str:
    return "mg" if design.is_solid(name) else "µL"


def _lines(found: Protocol) -> Iterator[str]:
    yield found.design.name
    for name, plate in found.laid.plates.items():
        closing = ", capped by hand" if plate.capped_by_hand else ""
        yield ""
        yield f"{name}: {plate.array} vials of {plate.capacity}{closing}"
        yield from _map(found, name)
    yield ""
    yield "steps"
    for number, step in enumerate(found.steps, 1):
        yield f"{number:3}. {step}"
    for plate, vials in found.amounts.items():
        yield ""
        yield f"amounts in {plate} (mg of solids, µL of liquids)"
        for vial in sorted(vials, key=lambda one: (one[0], int(one[1:]))):
            parts = (f"{name} {dose:.2f}" for name, dose in vials[vial].items())
            yield f"  {vial:<4}{', '.join(parts)}"
    if found.repairs:
        yield ""
        yield "repaired"
        yield from (f"  {one}" for one in found.repairs)


def _map(found: Protocol, plate: str) -> Iterator[str]:
    """Iterate over the lines of a map: the number of the sample in each vial, a dot for none."""
    numbers = {one.vial: str(n) for n, one in enumerate(found.laid.samples, 1)}
    places = found.laid.plates[plate].places
    rows = list(dict.fromkeys(one[0] for one in places))
    columns = len(places) // len(rows)
    yield "    " + "".join(f"{column:>4}" for column in range(1, columns + 1))
    for row in rows:
        cells = (numbers.get(f"{row}{column}", ".") for column in range(1, columns + 1))
        yield f"  {row} " + "".join(f"{cell:>4}" for cell in cells)
