"""What comes of comparing energies, as a session hands it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import InteractionEnergy, SpinStateScan
from ontologies.level import LevelOfTheory
from ontologies.quantum import EnergyResult
from triplestore.errors import GraficoError
from workflows.dft.bases import relativity_remark
from workflows.dft.counterpoise import InteractionRequest, InteractionState, run_counterpoise
from workflows.dft.fitting import fitting_remark
from workflows.dft.request import LevelRequest
from workflows.dft.spin_states import SpinStatesRequest, SpinStatesState, failed, run_spin_states
from workflows.engine import Answer
from workflows.molecule import Kind
from workflows.run_blocks import DisplayedRun, Ran

from .structures import find_structure

if TYPE_CHECKING:
    from .client import Grafico


@dataclass(frozen=True)
class SpinStates(DisplayedRun):
    """The multiplicities of a molecule, compared.

    Attributes:
        run: IRI of the run.
        status: `finished`.
        message: in words.
        scan: the comparison, as it is stored.
        answers: the result of each multiplicity, with its activity and whether it was remembered.
        errors: why other multiplicities have none.
        remarks: what was assumed, and what to know of the numbers, in words.
    """

    run: str
    status: str
    message: str
    scan: SpinStateScan
    answers: Mapping[int, Answer[EnergyResult]]
    errors: Mapping[int, GraficoError]
    remarks: tuple[str, ...] = ()

    @property
    def atoms(self) -> ConceptualAtoms:
        """The geometry of the ground state."""
        return self.answers[self.scan.ground_multiplicity].result.atoms

    @property
    def relative(self) -> dict[int, float]:
        """Energies above the lowest, in Eh, by multiplicity."""
        return self.scan.relative

    @property
    def ran(self) -> Ran:
        """The run as views see it."""
        answers = tuple(self.answers.values())
        about = (self.atoms, self.scan.ground.level)
        return Ran(
            self.run, self.status, self.message, about, answers, (self.scan,), self.remarks,
            self.atoms.iri,
        )  # fmt: skip

    @property
    def reused(self) -> bool:
        """Whether everything was remembered and nothing computed."""
        return all(answer.reused for answer in self.answers.values())


@dataclass(frozen=True)
class Interaction(DisplayedRun):
    """The interaction of fragments.

    Attributes:
        run: IRI of the run.
        status: `finished`.
        message: in words.
        energy: the interaction, as it is stored.
        answers: the energies that it is made of, by `whole`, `fragment 1`,
            `fragment 1 with ghosts`, …
        remarks: what was assumed, and what to know of the numbers, in words.
    """

    run: str
    status: str
    message: str
    energy: InteractionEnergy
    answers: Mapping[str, Answer[Any]]
    remarks: tuple[str, ...] = ()

    @property
    def atoms(self) -> ConceptualAtoms:
        """The whole."""
        return self.energy.atoms

    @property
    def corrected(self) -> float:
        """Interaction energy with the counterpoise correction, in Eh."""
        return self.energy.corrected

    @property
    def uncorrected(self) -> float:
        """Interaction energy without it, in Eh."""
        return self.energy.uncorrected

    @property
    def ran(self) -> Ran:
        """The run as views see it."""
        answers, about = tuple(self.answers.values()), (self.atoms, self.energy.level)
        return Ran(
            self.run, self.status, self.message, about, answers, (self.energy,), self.remarks,
            self.atoms.iri,
        )  # fmt: skip

    @property
    def reused(self) -> bool:
        """Whether everything was remembered and nothing computed."""
        return all(answer.reused for answer in self.answers.values())


async def compare_spin_states(
    session: Grafico,
    molecule: str | Path | ConceptualAtoms,
    wanted: LevelRequest,
    request: SpinStatesRequest,
    *,
    kind: Kind | None,
    charge: int | None,
    recompute: bool,
    online: bool | None,
) -> SpinStates:
    """Return the comparison of a molecule's multiplicities; see `Grafico.spin_states`."""
    executor = session.executor.recomputing() if recompute else session.executor
    found = await find_structure(session, molecule, kind, charge, None, online, any_spin=True)
    atoms = found.atoms
    told = _announced(session, molecule, atoms, found.remarks)
    finish, remarks = await run_spin_states(
        atoms, wanted, request, executor, subject=told, hours=session.settings.hours
    )
    state: SpinStatesState = finish.state
    scan = state.scan
    assert scan is not None  # the graph has one way, and at its end there is one
    answers = {answer.result.atoms.multiplicity: answer for answer in state.parts.results.values()}
    numbers, level = atoms.numbers.tolist(), scan.ground.level
    more: tuple[str, ...] = ()
    if isinstance(level, LevelOfTheory):
        more = relativity_remark(numbers, level), fitting_remark(numbers, level)
    return SpinStates(
        finish.run, finish.status, finish.message, scan, answers, failed(state.parts),
        _unique(*found.remarks, *remarks, *more, *scan.remarks),
    )  # fmt: skip


async def compute_interaction(
    session: Grafico,
    molecule: str | Path | ConceptualAtoms,
    wanted: LevelRequest,
    request: InteractionRequest,
    *,
    kind: Kind | None,
    charge: int | None,
    multiplicity: int | None,
    recompute: bool,
    online: bool | None,
) -> Interaction:
    """Return the interaction of a molecule's fragments; see `Grafico.interaction`."""
    executor = session.executor.recomputing() if recompute else session.executor
    found = await find_structure(session, molecule, kind, charge, multiplicity, online)
    atoms = found.atoms
    told = _announced(session, molecule, atoms, found.remarks)
    request = request.with_parts(found.parts)
    finish, remarks = await run_counterpoise(
        atoms, wanted, request, executor, subject=told, hours=session.settings.hours
    )
    state: InteractionState = finish.state
    energy = state.energy
    assert energy is not None  # the graph has one way, and at its end there is one
    numbers, level = atoms.numbers.tolist(), energy.level
    more = relativity_remark(numbers, level), fitting_remark(numbers, level)
    return Interaction(
        finish.run, finish.status, finish.message, energy, state.answers,
        _unique(*found.remarks, *remarks, *more, *energy.remarks),
    )  # fmt: skip


def parts_of(answers: Mapping[Any, Answer[GraphModel]]) -> list[dict[str, Any]]:
    """Return what a comparison is made of, as JSON can hold it."""
    return [
        {
            "part": key,
            "iri": answer.recorded,
            "kind": type(answer.result).__name__,
            "energy_Eh": getattr(answer.result, "energy", None),
            "reused": answer.reused,
            "activity": answer.activity.iri,
            "wall_time_s": answer.activity.wall_time,
            "device": answer.activity.device.name,
        }
        for key, answer in answers.items()
    ]


def _announced(
    session: Grafico, molecule: object, atoms: ConceptualAtoms, remarks: tuple[str, ...]
) -> str:
    """Tell what the molecule is, and return what the person calls it."""
    subject = molecule if isinstance(molecule, str) else getattr(molecule, "name", "")
    session.executor.emit(
        "subject", atoms.formula, iri=atoms.iri, given=str(subject), remarks=list(remarks)
    )
    return str(subject) or atoms.formula


def _unique(*remarks: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, remarks)))
