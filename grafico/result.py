"""`Result`: what a run came to."""

from __future__ import annotations

from dataclasses import dataclass

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.vibrations import Thermochemistry
from triplestore.errors import NotFoundError
from workflows.dft.situation import Geometry
from workflows.dft.thermo import soft_modes
from workflows.engine import Answer
from workflows.run_blocks import DisplayedRun, Ran


@dataclass(frozen=True)
class Result(DisplayedRun):
    """What a run came to.

    Attributes:
        run: IRI of the run.
        status: `finished`, or `goal unmet` with the reason in `message`.
        message: in words.
        atoms: the last geometry, in the frame of the input.
        level: the level of theory.
        answers: every electronic result in order, with its activity and whether it was remembered.
        heat: the thermochemistry of a minimum, if it was asked for.
        remarks: what was assumed about the molecule, and what to know of the level, in words.
        geometry: the label of the last geometry, see `workflows.dft.situation`.
    """

    run: str
    status: str
    message: str
    atoms: ConceptualAtoms
    level: Level
    answers: tuple[Answer[EnergyResult], ...]
    heat: Answer[Thermochemistry] | None = None
    remarks: tuple[str, ...] = ()
    geometry: Geometry = "as given"

    @property
    def last(self) -> EnergyResult:
        """The last result.

        Raises:
            NotFoundError: the run ended before it had one.
        """
        if not self.answers:
            raise NotFoundError(
                f"the result of run {self.run} was asked for", f"it has none: {self.message}",
                "mend what it says, or resume the run",
            )  # fmt: skip
        return self.answers[-1].result

    @property
    def energy(self) -> float:
        """Total energy of the last result, in Eh."""
        return self.last.energy

    @property
    def thermochemistry(self) -> Thermochemistry | None:
        """Enthalpy, entropy and Gibbs energy, if they were asked for."""
        return self.heat.result if self.heat else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the numbers of its results, each once, in words."""
        told = [remark for answer in self.answers for remark in answer.result.remarks]
        if self.thermochemistry and (soft := soft_modes(self.thermochemistry)):
            told.append(soft)
        return tuple(dict.fromkeys(told))

    @property
    def all_answers(self) -> tuple[Answer[GraphModel], ...]:
        """The electronic results and what was made of them."""
        return (*self.answers, self.heat) if self.heat else self.answers

    @property
    def reused(self) -> bool:
        """Whether everything was remembered and nothing computed."""
        return all(answer.reused for answer in self.all_answers)

    @property
    def ran(self) -> Ran:
        """The run as views see it."""
        return Ran(
            self.run, self.status, self.message, (self.atoms, self.level), self.all_answers,
            remarks=self.remarks, geometry=self.atoms.iri,
        )  # fmt: skip

    @property
    def differences(self) -> dict[str, float]:
        """Energies computed again less what was remembered before, in Eh, by IRI of the result."""
        return self.ran.differences
