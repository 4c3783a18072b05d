"""The graph that finds the interaction of fragments, corrected for their basis sets.

S. F. Boys, F. Bernardi, Mol. Phys. 19, 553 (1970), doi:10.1080/00268977000101561.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import Field, field_validator

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import Fragment, FragmentEnergy, InteractionEnergy
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from workflows.engine import Answer, Call, Executor, Findings, StepGraph, run_all, step
from workflows.engine.request.form import Form
from workflows.registry.levels import offered

from ..request.forms import Force
from ..request.number_lists import whole_numbers
from ..scf.ghosts import has_ghosts

WHOLE = "whole"


class InteractionRequest(Form):
    """How a structure is divided into fragments."""

    fragments: Annotated[
        str,
        Field(
            description='Atoms of each, counted from 1: "1-3 4-6"; if not given, what a SMILES '
            "sets apart by dots, else by bonds."
        ),
    ] = ""
    fragment_charges: Annotated[
        tuple[int, ...],
        Field(description="Charge of each in e, such as 1,0; as in the SMILES, else neutral."),
    ] = ()
    fragment_multiplicities: Annotated[
        tuple[Annotated[int, Field(ge=1)], ...],
        Field(description="2S+1 of each, such as 2,1; the lowest that can be if not given."),
    ] = ()
    force: Force = False

    @field_validator("fragment_charges", "fragment_multiplicities", mode="before")
    @classmethod
    def _read(cls, given: object) -> object:
        return whole_numbers(given)

    def with_parts(self, parts: Sequence[tuple[Sequence[int], int, int]]) -> InteractionRequest:
        """Return the request with the fragments of a notation where it names none itself.

        Args:
            parts: atoms from 0, charge in e and multiplicity of each; see `separate`.
        """
        if self.fragments.strip() or len(parts) < 2:
            return self
        charges, spins = tuple(part[1] for part in parts), tuple(part[2] for part in parts)
        return self.model_copy(
            update={
                "fragments": " ".join(",".join(str(i + 1) for i in part[0]) for part in parts),
                "fragment_charges": self.fragment_charges or charges,
                "fragment_multiplicities": self.fragment_multiplicities
                or (() if self.fragment_charges not in ((), charges) else spins),
            }
        )


@dataclass(frozen=True)
class InteractionState(Findings):
    """Where a run stands.

    Attributes:
        atoms: the whole.
        level: its level of theory.
        fragments: the parts, each with its level of theory.
        remarks: what to know of them.
        parts: the energies of the whole and of the parts, by their keys.
        energy: the interaction.
    """

    atoms: ConceptualAtoms
    level: Level
    fragments: tuple[tuple[Fragment, Level], ...]
    remarks: tuple[str, ...] = ()
    parts: Mapping[str, Answer[Any]] = field(default_factory=dict[str, Answer[Any]])
    energy: InteractionEnergy | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """The energy of the whole and the interaction."""
        whole = [self.parts[WHOLE].recorded] if self.parts else []
        return [*whole, self.energy.iri] if self.energy else whole

    @property
    def product(self) -> ConceptualAtoms:
        """The whole."""
        return self.atoms


@step("energies", cost=10.0)
async def compute_parts(state: InteractionState, executor: Executor) -> InteractionState:
    """Compute the whole, each fragment alone and each among the functions of the others."""
    calls = calls_of(state.atoms, state.level, state.fragments)
    return replace(state, parts=(await run_all(executor, calls)).all())


@step("interaction", needs="energies")
async def combine_energies(state: InteractionState, executor: Executor) -> InteractionState:
    """Take the differences of the energies and record the interaction."""
    energy = combined(state)
    executor.record(energy)
    return replace(state, energy=energy)


COUNTERPOISE = StepGraph("counterpoise", compute_parts, combine_energies)


def alone(number: int) -> str:
    """Return the key of a fragment in its own basis set, counted from 1."""
    return f"fragment {number}"


def among(number: int) -> str:
    """Return the key of a fragment among the functions of the others."""
    return f"fragment {number} with ghosts"


def calls_of(
    atoms: ConceptualAtoms, level: Level, fragments: Sequence[tuple[Fragment, Level]]
) -> dict[str, Call[Any]]:
    """Return the calculations on the whole and on its parts, by their keys.

    Among ghosts there are those of a basis set that a person chooses.
    """
    calls: dict[str, Call[Any]] = {WHOLE: offered(level).energy(atoms, level)}
    for number, (fragment, own) in enumerate(fragments, 1):
        calls[alone(number)] = offered(own).energy(fragment.atoms_of(atoms), own)
        if has_ghosts(own):
            call = offered(own).calculation("fragment_energy").bind(atoms, own, fragment)
            calls[among(number)] = call
    return calls


def combined(state: InteractionState) -> InteractionEnergy:
    """Return the interaction from the energies of the parts."""
    numbers = range(1, len(state.fragments) + 1)
    own = [state.parts[alone(number)] for number in numbers]
    ghosts = [one for number in numbers if (one := state.parts.get(among(number)))]
    whole = state.parts[WHOLE].result.energy
    uncorrected = whole - sum(answer.result.energy for answer in own)
    corrected = whole - sum(answer.result.energy for answer in ghosts) if ghosts else None
    remarks = [
        *state.remarks,
        *(f"{k}: {remark}" for k, a in state.parts.items() for remark in a.result.remarks),
    ]
    return InteractionEnergy(
        atoms=state.atoms,
        level=state.level,
        fragments=tuple(fragment for fragment, _ in state.fragments),
        uncorrected=uncorrected,
        corrected=corrected,
        superposition_error=None if corrected is None else corrected - uncorrected,
        whole=Link[EnergyResult](state.parts[WHOLE].recorded),
        separate=tuple(Link[EnergyResult](answer.recorded) for answer in own),
        with_ghosts=tuple(Link[FragmentEnergy](answer.recorded) for answer in ghosts),
        remarks=tuple(remarks),
    )
