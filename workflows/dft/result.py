"""Results as Python gets them: of a calculation, a comparison or an interaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import InteractionEnergy, SpinStateScan
from ontologies.level import Level
from ontologies.quantum import EnergyResult, RelaxedGeometry
from ontologies.vibrations import Thermochemistry, VibrationalAnalysis
from triplestore.errors import GraficoError
from workflows.engine import Answer
from workflows.engine.request.workflow import Finished
from workflows.show.displayed_run import DisplayedRun
from workflows.show.run_blocks import RunSummary

from .graphs.counterpoise import InteractionState
from .graphs.situation import DFTState, Geometry
from .graphs.spin_states import SpinStatesState, failed
from .properties.thermo import soft_modes


@dataclass(frozen=True)
class Result(DisplayedRun):
    """What a run came to.

    Attributes:
        run: IRI of the run.
        status: `finished`, or `goal unmet` with the reason in `message`.
        message: in words.
        atoms: the last geometry, in the frame of the input.
        level: the level of theory.
        answers: every result of a level in order, with its activity and whether it was remembered.
        heat: the thermochemistry of a minimum, if it was asked for.
        remarks: what was assumed about the molecule, and what to know of the level, in words.
        geometry: the label of the last geometry, see `workflows.dft.graphs.situation`.
        built: what that was built from, where it is the one that was given.
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
    built: str = ""

    @classmethod
    def of(cls, done: Finished) -> Result:
        """Return what a run of the graph came to."""
        state: DFTState = done.state
        return cls(
            done.run,
            done.status,
            done.message,
            state.atoms,
            state.level,
            state.answers,
            state.heat,
            done.remarks,
            state.situation.geometry,
            done.built,
        )

    @property
    def last(self) -> EnergyResult:
        """The last result.

        Raises:
            NotFoundError: the run ended before it had one.
        """
        return self.last_of(self.answers)

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
        if self.thermochemistry:
            told += self.thermochemistry.remarks
            if soft := soft_modes(self.thermochemistry):
                told.append(soft)
        return tuple(dict.fromkeys(told))

    @property
    def all_answers(self) -> tuple[Answer[GraphModel], ...]:
        """The results of the level and what was made of them."""
        return (*self.answers, self.heat) if self.heat else self.answers

    @property
    def reused(self) -> bool:
        """Whether everything was remembered and nothing computed."""
        return all(answer.reused for answer in self.all_answers)

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        return RunSummary(
            self.run,
            self.status,
            self.message,
            (self.atoms, self.level),
            self.all_answers,
            remarks=self.remarks,
            geometry=self.atoms.iri,
            stages=tuple(self._stages()),
            built=self.built,
        )

    def _stages(self) -> Iterator[str]:
        """Iterate over results at a geometry or level that was left, and the way to a minimum."""
        for place, answer in enumerate(self.answers):
            result, later = answer.result, self.answers[place + 1 :]
            left = result.atoms.iri != self.atoms.iri or result.level.iri != self.level.iri
            verified = any(isinstance(one.result, VibrationalAnalysis) for one in later)
            if left or (verified and isinstance(result, RelaxedGeometry)):
                yield answer.recorded

    @property
    def differences(self) -> dict[str, float]:
        """Energies computed again less what was remembered before, in Eh, by IRI of the result."""
        return self.ran.differences


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
        built: what the geometry was built from; empty where it was given itself.
    """

    run: str
    status: str
    message: str
    scan: SpinStateScan
    answers: Mapping[int, Answer[EnergyResult]]
    errors: Mapping[int, GraficoError]
    remarks: tuple[str, ...] = ()
    built: str = ""

    @classmethod
    def of(cls, done: Finished) -> SpinStates:
        """Return what a run of the graph came to."""
        state: SpinStatesState = done.state
        scan = state.scan
        assert scan is not None  # the graph has one way, and at its end there is one
        answers = {one.result.atoms.multiplicity: one for one in state.parts.results.values()}
        return cls(
            done.run,
            done.status,
            done.message,
            scan,
            answers,
            failed(state.parts),
            tuple(dict.fromkeys((*done.remarks, *scan.remarks))),
            done.built,
        )

    @property
    def atoms(self) -> ConceptualAtoms:
        """The geometry of the ground state."""
        return self.answers[self.scan.ground_multiplicity].result.atoms

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as JSON can hold it; units stand in the names."""
        scan = self.scan
        return {
            **_outcome(self),
            "iri": scan.iri,
            "ground_multiplicity": scan.ground_multiplicity,
            "relaxed": scan.relaxed,
            "states": [
                {
                    "multiplicity": state.multiplicity,
                    "energy_Eh": state.energy,
                    "relative_energy_Eh": self.relative[state.multiplicity],
                    "spin_squared": state.spin_squared,
                    "level": state.level.label,
                    "result": state.result.iri,
                }
                for state in scan.states
            ],
            "failures": {str(spin): str(error) for spin, error in self.errors.items()},
            "parts": _parts(self.answers),
            "atoms": {"iri": self.atoms.iri, **self.atoms.model_dump(mode="json")},
        }

    @property
    def relative(self) -> dict[int, float]:
        """Energies above the lowest, in Eh, by multiplicity."""
        return self.scan.relative

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        answers = tuple(self.answers.values())
        about = (self.atoms, self.scan.ground.level)
        return RunSummary(
            self.run,
            self.status,
            self.message,
            about,
            answers,
            (self.scan,),
            self.remarks,
            self.atoms.iri,
            built=self.built,
        )

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
        built: what the geometry was built from; empty where it was given itself.
    """

    run: str
    status: str
    message: str
    energy: InteractionEnergy
    answers: Mapping[str, Answer[Any]]
    remarks: tuple[str, ...] = ()
    built: str = ""

    @classmethod
    def of(cls, done: Finished) -> Interaction:
        """Return what a run of the graph came to."""
        state: InteractionState = done.state
        energy = state.energy
        assert energy is not None  # the graph has one way, and at its end there is one
        return cls(
            done.run,
            done.status,
            done.message,
            energy,
            state.parts,
            tuple(dict.fromkeys((*done.remarks, *energy.remarks))),
            done.built,
        )

    @property
    def atoms(self) -> ConceptualAtoms:
        """The whole."""
        return self.energy.atoms

    def as_json(self) -> dict[str, Any]:
        """Return the interaction as JSON can hold it; units stand in the names."""
        energy = self.energy
        return {
            **_outcome(self),
            "iri": energy.iri,
            "level": energy.level.label,
            "uncorrected_Eh": energy.uncorrected,
            "corrected_Eh": energy.corrected,
            "superposition_error_Eh": energy.superposition_error,
            "fragments": [
                {"atoms": part.label, "charge": part.charge, "multiplicity": part.multiplicity}
                for part in energy.fragments
            ],
            "parts": _parts(self.answers),
            "atoms": {"iri": energy.atoms.iri, **energy.atoms.model_dump(mode="json")},
        }

    @property
    def corrected(self) -> float | None:
        """Interaction energy with the counterpoise correction, in Eh; None without basis sets."""
        return self.energy.corrected

    @property
    def uncorrected(self) -> float:
        """Interaction energy without it, in Eh."""
        return self.energy.uncorrected

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        answers, about = tuple(self.answers.values()), (self.atoms, self.energy.level)
        return RunSummary(
            self.run,
            self.status,
            self.message,
            about,
            answers,
            (self.energy,),
            self.remarks,
            self.atoms.iri,
            built=self.built,
        )

    @property
    def reused(self) -> bool:
        """Whether everything was remembered and nothing computed."""
        return all(answer.reused for answer in self.answers.values())


def _outcome(result: SpinStates | Interaction) -> dict[str, Any]:
    return {
        "run": result.run,
        "status": result.status,
        "message": result.message,
        "remarks": list(result.remarks),
        "reused": result.reused,
    }


def _parts(answers: Mapping[Any, Answer[Any]]) -> list[dict[str, Any]]:
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
