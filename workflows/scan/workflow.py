"""What can be asked: a relaxed scan, its cost, and what it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import RelaxedGeometry
from ontologies.scans import RelaxedScan
from triplestore.errors import GraficoError
from workflows.dft.request.forms import DFTRequest
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.engine import Answer, Executor
from workflows.engine.request.cost import Cost, Granted
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.workflow import Finished
from workflows.molecule.electrons import check_electrons
from workflows.molecule.subject import MOLECULE
from workflows.registry.levels import LevelForm, offered
from workflows.show.displayed_run import DisplayedRun
from workflows.show.run_blocks import RunSummary

from .graph import RELAXED_SCAN, ScanState, point
from .request import ScanRequest


@dataclass(frozen=True)
class ScanCost:
    """What the points of a scan that are not remembered will take, one after the other.

    Attributes:
        state: where the scan starts.
        request: what is asked.
    """

    state: ScanState
    request: ScanRequest

    @property
    def label(self) -> str:
        """What it is."""
        return f"{self.state.atoms.formula} at {self.state.level.label}"

    def cost(self, granted: Granted, executor: Executor) -> Cost | None:
        """Return what it will take; None where that is not worth an estimate."""
        last, values = self.state.atoms, list(self.state.plan.values)
        both, steps = self.request.both_ways, self.request.max_steps
        left = len(values) * (2 if both else 1) - both
        if not executor.recompute:
            for value in values:
                call = point(self.state, last, value, steps, self.request.convergence)
                found = executor.recall(call)
                if found is None:
                    break
                last, left = found.result.atoms, left - 1
        if left == 0:
            return None
        alike = DFTRequest(task="optimise", max_steps=steps)
        # Asked with the hours of one point, so that many short ones are estimated, too.
        each = replace(granted, hours=granted.hours / left)
        one = MoleculeCost(self.state.atoms, self.state.level, alike).cost(each, executor)
        if one is None:
            return None
        return replace(
            one,
            size=f"{left} points of {one.size}",
            seconds=one.seconds * left,
            advice="ask for fewer points, or for a cheaper level",
        )


async def prepare_scan(
    given: Given[ConceptualAtoms], request: ScanRequest, wanted: LevelForm, executor: Executor
) -> Prepared[ScanState]:
    """Find out what is asked of a molecule along a coordinate.

    Raises:
        InputError: the coordinate or its values do not fit the molecule, see `ScanRequest.plan`; or
            there is no such level, or none with forces.
    """
    atoms = given.model
    check_electrons(atoms)
    plan = request.plan(atoms)
    resolved = await wanted.resolve(atoms, executor)
    level = resolved.level
    program = offered(level)
    if not program.forces:
        raise program.without_forces(level)
    known = RELAXED_SCAN.known("wish to go back" if request.both_ways else "way back")
    state = ScanState(atoms, level, plan, known=known)
    return Prepared(
        state,
        RELAXED_SCAN.goal(f"a scan of the {request.coordinate}"),
        (atoms, level),
        f"{atoms.formula} at {level.label}",
        (ScanCost(state, request),),
        (*filter(None, [plan.reach]), *resolved.remarks, *program.remarks(atoms, level)),
    )


@dataclass(frozen=True)
class Scan(DisplayedRun):
    """A relaxed scan.

    Attributes:
        run: IRI of the run.
        status: `finished`.
        message: in words.
        scan: as it is stored.
        answers: the optimisation of each point in order, those of the way back last.
        errors: why other values have none.
        remarks: what was assumed, and what to know of the numbers, in words.
    """

    run: str
    status: str
    message: str
    scan: RelaxedScan
    answers: tuple[Answer[RelaxedGeometry], ...]
    errors: Mapping[str, GraficoError]
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, done: Finished) -> Scan:
        """Return what a run of the graph came to."""
        state: ScanState = done.state
        assert state.scan is not None  # the graph ends with one
        return cls(
            done.run,
            done.status,
            done.message,
            state.scan,
            state.answers,
            state.errors,
            tuple(dict.fromkeys((*done.remarks, *state.scan.remarks))),
        )

    @property
    def atoms(self) -> ConceptualAtoms:
        """The geometry of the lowest point."""
        return self.geometry_of(self.scan.lowest.result.iri)

    @property
    def top(self) -> ConceptualAtoms:
        """The geometry of the highest point."""
        return self.geometry_of(self.scan.highest.result.iri)

    def geometry_of(self, result: str) -> ConceptualAtoms:
        """Return the geometry of a point, by the IRI of its result."""
        return next(one.result.atoms for one in self.answers if one.recorded == result)

    @property
    def reused(self) -> bool:
        """Whether everything was remembered and nothing computed."""
        return all(answer.reused for answer in self.answers)

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        return RunSummary(
            self.run,
            self.status,
            self.message,
            (self.scan.atoms, self.scan.level),
            self.answers,
            (self.scan,),
            self.remarks,
            self.atoms.iri,
            stages=tuple(answer.recorded for answer in self.answers),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the scan as JSON can hold it; units stand in the names."""
        scan = self.scan
        lowest = scan.lowest.energy
        unit = "angstrom" if scan.coordinate == "distance" else "degree"
        return {
            "run": self.run,
            "status": self.status,
            "message": self.message,
            "remarks": list(self.remarks),
            "reused": self.reused,
            "iri": scan.iri,
            "coordinate": scan.label,
            "level": scan.level.label,
            "points": [
                {
                    f"value_{unit}": point.value,
                    "backward": point.backward,
                    "energy_Eh": point.energy,
                    "relative_energy_Eh": point.energy - lowest,
                    "atoms": point.atoms.iri,
                    "result": point.result.iri,
                }
                for point in scan.points
            ],
            "failures": {key: str(error) for key, error in self.errors.items()},
        }


SCAN = Definition(
    RELAXED_SCAN,
    (ScanRequest, LevelForm),
    MOLECULE,
    prepare_scan,
    Scan.of,
    help="A distance, an angle or a dihedral angle is held at one value after the other, all else "
    "relaxed. Each point starts from the geometry of the one before; one that is remembered is not "
    "computed, so that a scan that was stopped goes on where it was.",
    makes=(RelaxedScan,),
)
