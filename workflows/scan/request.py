"""What is asked of a scan: the coordinate, its values, and how each point is relaxed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Self, cast

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity
from ontologies.quantum import Convergence, GeometryConstraints
from ontologies.scans import CoordinateKind
from triplestore.errors import InputError
from workflows.dft.request.forms import Force, Steps
from workflows.engine.request.form import Form
from workflows.engine.request.refusals import refusal
from workflows.engine.request.rules import OtherNames, Rare, Short
from workflows.geometry.constraint_text import ATOMS, Constraint, constraints_of, read_constraint
from workflows.geometry.constraints import UNITS, impossible, measured
from workflows.geometry.feasibility import check_reach

from .elements import numbered, offer, read_named, turn, with_kind

ADVICE = (
    'write "distance 1 2", "angle 1 2 3" or "dihedral 1 2 3 4"; atoms are counted from 1 '
    "in the order of the input; without a coordinate those of the molecule are told"
)

USUAL = 13
"""How many points there are if nobody says: a full turn in steps of 30°, a third of one in 10°."""

MOST = 1000
"""Points of one way."""

IN_RING = 120.0
"""Degrees that the dihedral angle of a bond in a ring is turned at most: from one pucker to its
mirror image. Beyond, the ring would break."""


OTHERWISE = {"distance": ("bond",), "angle": (), "dihedral": ("torsion",)}
"""Kinds of coordinates, and what else people call them."""


def _of_steps(text: str) -> dict[str, object]:
    """Return the points of so many steps: one more, as in other programs."""
    return {"points": int(text) + 1 if text.strip().isdecimal() else text}


def _driven(kind: str) -> Callable[[str], dict[str, str]]:
    return lambda text: {"coordinate": f"{kind} {text}"}


class ScanRequest(Form):
    """Which coordinate is driven, from where to where, and how each point is relaxed."""

    shorts = MappingProxyType(
        {
            other: Short(_driven(kind), numbers=ATOMS[kind])
            for kind, others in OTHERWISE.items()
            for other in (kind, *others)
        }
        | {"steps": Short(_of_steps)}
    )

    coordinate: Annotated[
        str,
        Field(
            description='Driven: "distance 1 2", "angle 1 2 3" or "dihedral 1 2 3 4"; or by '
            'elements where all such are alike: "distance O-H", "dihedral H-O-O-H", "dihedral C-C" '
            '(about that bond), "dihedral" (about the only one that turns). Without one, those '
            "that the molecule has are told."
        ),
    ] = ""
    start: Annotated[
        float | None,
        OtherNames(("from", "begin_at", "initial", "min")),
        Field(allow_inf_nan=False, description="First value, Å or degrees; as it is if not given."),
    ] = None
    end: Annotated[
        float | None,
        OtherNames(("to", "until", "stop", "final", "max")),
        Field(
            allow_inf_nan=False,
            description="Last value, Å or degrees; of a dihedral angle a full turn on, or as far "
            "as its symmetry asks, if not given.",
        ),
    ] = None
    points: Annotated[
        int | None,
        OtherNames(("npoints", "n_points", "num")),
        Field(
            ge=2,
            le=MOST,
            description=f"How many values, both ends counted, not steps; {USUAL} if not given.",
        ),
    ] = None
    step: Annotated[
        float | None,
        Field(gt=0, allow_inf_nan=False, description="Values are at most so far apart instead."),
    ] = None
    both_ways: Annotated[
        bool, Field(description="Go back from the end, too, and compare the two ways.")
    ] = False
    constraints: Annotated[
        tuple[str, ...], Rare(), Field(description='Held besides, such as "freeze 1 2".')
    ] = ()
    max_steps: Annotated[Steps, Rare(), Field(description="Steps of each optimisation.")] = 100
    convergence: Annotated[
        Convergence, Rare(), Field(description="Thresholds of each optimisation.")
    ] = "normal"
    force: Force = False

    @field_validator("constraints")
    @classmethod
    def _readable(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for text in given:
            read_constraint(text)
        return given

    @field_validator("coordinate")
    @classmethod
    def _driven(cls, given: str) -> str:
        if not given.strip():
            return ""
        given = with_kind(given)
        if named := read_named(given):
            return " ".join([named[0], "-".join(named[1])]).strip()
        try:
            one = read_constraint(given)
        except PydanticCustomError as error:
            raise refusal(
                f"a scan of {given[:80]!r} was asked for", "that is no coordinate", ADVICE
            ) from error
        if one.kind not in ATOMS or one.value is not None:
            what = "that drives nothing" if one.kind not in ATOMS else "it has a value already"
            raise refusal(f"a scan of {given[:80]!r} was asked for", what, ADVICE)
        return " ".join([one.kind, *(str(atom + 1) for atom in one.atoms)])

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        asked = f"a scan of the {self.coordinate or 'molecule'} was asked for"
        if self.points is not None and self.step is not None:
            raise refusal(asked, "points and step say the same in two ways", "give one of them")
        if not self.coordinate:
            return self
        if self.end is None and self.driven.kind != "dihedral":
            raise refusal(asked, "its last value is not known", "give `end`, Å or degrees")
        if self.start == self.end is not None:
            raise refusal(
                asked, f"it starts where it ends, at {self.end:g}", "give two different values"
            )
        for value in (self.start, self.end):
            if value is not None and (why := impossible(self.driven.kind, value)):
                raise refusal(f"{asked} at {value:g}{UNITS[self.driven.kind]}", *why)
        return self

    @property
    def driven(self) -> Constraint:
        """The coordinate; without atoms where it is named by elements."""
        if named := read_named(self.coordinate):
            return Constraint(named[0], ())
        return read_constraint(self.coordinate)

    def plan(self, atoms: ConceptualAtoms) -> ScanPlan:
        """Return what is held at each point of a scan of a structure.

        Raises:
            InputError: the coordinate, its values or what is held besides do not fit the structure.
        """
        if not self.coordinate:
            raise InputError(
                f"a scan of {atoms.formula} was asked for",
                "which coordinate is driven is not said: a distance of two atoms, an angle of "
                "three or a dihedral angle of four, counted from 1 in the order of the input",
                _examples(atoms),
            )
        if not self.driven.atoms:
            settled = numbered(self.coordinate, atoms)
            return self.model_copy(update={"coordinate": settled}).plan(atoms)
        kind, members = cast("CoordinateKind", self.driven.kind), self.driven.atoms
        asked = f"a scan of the {self.coordinate} of {atoms.formula} was asked for"
        besides = constraints_of(self.constraints, atoms)
        try:
            constraints_of([self.coordinate], atoms)
        except InputError as error:  # atoms that are not there
            advice = f"{error.advice}; {_examples(atoms)}"
            raise InputError(error.asked, error.found, advice) from error
        start = round(measured(atoms.positions, members), 5) if self.start is None else self.start
        if why := impossible(kind, start):
            raise InputError(f"{asked}, from {start:g}{UNITS[kind]} on", *why)
        end, reach = self.end, ""
        if end is None:
            degrees, why = turn(atoms, members)
            end = start + degrees
            reach = (
                f"no end was given: from {start:g}° on by {degrees:g}°, "
                f"{f'for {why}' if why else 'a full turn'}"
            )
        span = end - start
        if abs(span) < 1e-4:
            raise InputError(
                asked, f"it has the value {start:g} at the start already", "give another `end`"
            )
        count = self.points or USUAL
        if self.step is not None:
            count = math.ceil(abs(span) / self.step - 1e-6) + 1
            if not 2 <= count <= MOST:
                raise InputError(
                    f"{asked} in steps of {self.step:g}{UNITS[kind]}",
                    f"from {start:g} to {end:g} these are {count} points",
                    f"choose a step that makes 2 to {MOST} points",
                )
        ring = kind == "dihedral" and in_ring(atoms, members[1], members[2])
        if ring and (abs(span) > IN_RING or self.end is None):
            raise InputError(
                f"{asked} over {abs(span):g}°",
                f"atoms {members[1] + 1} and {members[2] + 1} are in a ring, "
                "in which their bond cannot turn freely",
                f"give a range of {IN_RING:g}° or less, such as -60 to 60",
            )
        values = tuple(round(start + span * n / (count - 1), 6) for n in range(count))
        held: dict[float, GeometryConstraints] = {}
        for value in values:
            found = constraints_of([f"{self.coordinate} {value}", *self.constraints], atoms)
            assert found is not None  # the coordinate is one
            held[value] = found
        for value in (values[0], values[-1]):
            check_reach(held[value], atoms)
        return ScanPlan(kind, members, values, held, besides, reach)


@dataclass(frozen=True)
class ScanPlan:
    """What is held where.

    Attributes:
        kind: `distance`, `angle` or `dihedral`.
        members: the atoms that span the coordinate, counted from 0.
        values: of the coordinate, in Å or degrees, in their order.
        held: the constraints at each value.
        besides: what is held besides the coordinate; None for nothing.
        reach: how far is gone where nobody said, and why, in words.
    """

    kind: CoordinateKind
    members: tuple[int, ...]
    values: tuple[float, ...]
    held: dict[float, GeometryConstraints]
    besides: GeometryConstraints | None = None
    reach: str = ""

    def said(self, value: float) -> str:
        """Return a value with its unit."""
        return f"{value:g}{UNITS[self.kind]}"


def _examples(atoms: ConceptualAtoms) -> str:
    """Return what can be driven in a structure, and how it is written."""
    found = offer(atoms)
    names = [f"{symbol}{n}" for n, symbol in enumerate(atoms.symbols, 1)]
    listed = " ".join(names[:MOST_NAMED]) + (" …" if names[MOST_NAMED:] else "")
    return f"give {found or '`distance` 1 2'}; its atoms are {listed}"


MOST_NAMED = 24
"""Atoms of a molecule that are listed."""


def in_ring(atoms: ConceptualAtoms, first: int, second: int) -> bool:
    """Return whether two bonded atoms hang together without their bond, too."""
    bonds = [(bond.first, bond.second) for bond in connectivity(atoms).bonds]
    own = (min(first, second), max(first, second))
    if own not in bonds:
        return False
    reached, grown = {first}, True
    while grown:
        more = {
            end for pair in bonds if pair != own and reached.intersection(pair) for end in pair
        } - reached
        grown = bool(more)
        reached |= more
    return second in reached
