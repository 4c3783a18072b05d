"""A transition state as Python gets it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import EnergyResult
from ontologies.transition import PathEnd, ReactionBarrier, ReactionPath, TransitionState
from workflows.engine import Answer
from workflows.engine.request.workflow import Finished
from workflows.show.displayed_run import DisplayedRun
from workflows.show.run_blocks import RunSummary

from .state import TransitionSearch


@dataclass(frozen=True)
class TransitionRun(DisplayedRun):
    """What a search for a transition state came to.

    Attributes:
        run: IRI of the run.
        status: `finished`, or `goal unmet` with the reason in `message`.
        message: in words.
        atoms: the last geometry of the search.
        answers: every result of a calculation.
        state: the transition state; None where none was found.
        path: the path over it; None where it was not asked for.
        barriers: from its reactant and from its product; empty likewise.
        remarks: what was assumed, and what to know of the numbers, in words.
    """

    run: str
    status: str
    message: str
    atoms: ConceptualAtoms
    answers: tuple[Answer[Any], ...]
    state: TransitionState | None = None
    path: ReactionPath | None = None
    barriers: tuple[ReactionBarrier, ...] = ()
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, done: Finished) -> TransitionRun:
        """Return what a run of the graph came to."""
        state: TransitionSearch = done.state
        made = (*filter(None, (state.state, state.path)), *state.barriers)
        told = [remark for one in made for remark in one.remarks]
        return cls(
            done.run,
            done.status,
            done.message,
            state.atoms,
            state.all_answers,
            state.state,
            state.path,
            state.barriers,
            tuple(dict.fromkeys((*done.remarks, *told))),
        )

    @property
    def last(self) -> EnergyResult:
        """The last result.

        Raises:
            NotFoundError: the run ended before it had one.
        """
        return self.last_of(self.answers)

    @property
    def made(self) -> tuple[GraphModel, ...]:
        """What was made of the results."""
        return (*filter(None, (self.state, self.path)), *self.barriers)

    @property
    def reused(self) -> bool:
        """Whether everything was remembered and nothing computed."""
        return all(answer.reused for answer in self.answers)

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        about = (self.atoms, self.answers[-1].result.level) if self.answers else (self.atoms,)
        stages = self.answers if self.state else self.answers[:-1]
        return RunSummary(
            self.run,
            self.status,
            self.message,
            about,
            self.answers,
            self.made,
            self.remarks,
            self.atoms.iri,
            stages=tuple(one.recorded for one in stages),
        )

    def as_json(self) -> dict[str, Any]:
        """Return what was found as JSON can hold it; units stand in the names."""
        return {
            "run": self.run,
            "status": self.status,
            "message": self.message,
            "remarks": list(self.remarks),
            "reused": self.reused,
            "transition_state": None if self.state is None else _state(self.state),
            "path": None if self.path is None else _path(self.path),
            "barriers": [_barrier(one) for one in self.barriers],
            "results": [answer.recorded for answer in self.answers],
        }


def _state(found: TransitionState) -> dict[str, Any]:
    pairs = found.changing_pairs if found.changing_pairs is not None else np.zeros((0, 2), int)
    rates = found.distance_changes if found.distance_changes is not None else np.zeros(0)
    return {
        "iri": found.iri,
        "level": found.level.label,
        "energy_Eh": found.energy,
        "wavenumber_per_cm": found.wavenumber,
        "changing": [
            {"atoms": [int(n) + 1 for n in pair], "distance_change_angstrom": float(rate)}
            for pair, rate in zip(pairs, rates, strict=True)
        ],
        "atoms": {"iri": found.atoms.iri, **found.atoms.model_dump(mode="json")},
        "frequencies": found.frequencies.iri,
    }


def _path(found: ReactionPath) -> dict[str, Any]:
    return {
        "iri": found.iri,
        "reactant": _end(found.reactant),
        "product": _end(found.product),
        "degenerate": found.degenerate,
    }


def _end(found: PathEnd) -> dict[str, Any]:
    return {
        "smiles": found.smiles,
        "energy_Eh": found.energy,
        "stationarity": found.stationarity,
        "atoms": found.atoms.iri,
        "result": found.result.iri,
        "branch": found.branch.iri,
    }


def _barrier(found: ReactionBarrier) -> dict[str, Any]:
    return {
        "iri": found.iri,
        "from": "product" if found.reverse else "reactant",
        "temperature_K": found.temperature,
        "pressure_Pa": found.pressure,
        "energy_barrier_Eh": found.energy_barrier,
        "zero_point_barrier_Eh": found.zero_point_barrier,
        "enthalpy_barrier_Eh": found.enthalpy_barrier,
        "gibbs_barrier_Eh": found.gibbs_barrier,
        "path_degeneracy": found.path_degeneracy,
        "rate_constant_per_s": found.rate_constant,
        "tunnelling_ratio": found.tunnelling_ratio,
        "wigner_factor": found.wigner_factor,
        "eckart_factor": found.eckart_factor,
    }
