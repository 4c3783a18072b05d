"""What is asked of excited states, and what they take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from ontologies.excitations import ResponseName, SolventResponse, StateSpin
from triplestore.errors import InputError
from workflows.engine.request.form import Form
from workflows.engine.request.refusals import field_text
from workflows.engine.request.rules import Elsewhere, For, OtherNames, Rare, Words
from workflows.molecule.spin.said import SPIN_STATES
from workflows.registry.properties import Effort

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.level import LevelOfTheory

States: TypeAlias = Annotated[int, Field(ge=1, le=500)]

OF_STATES = For("states")
RESPONSES = Words({"TDA": ("cis", "tammdancoff"), "TDDFT": ("tdhf", "rpa", "td", "full")})
SPINS = Words({"singlet": ("singlets",), "triplet": ("triplets",)})


def _of_the_molecule(word: str) -> tuple[str, str] | None:
    """Return how the spin of a molecule is asked for; None where a word says none."""
    said = word.strip().lower()
    if not said.isdecimal() and said not in SPIN_STATES:
        return None
    return (
        "singlet or triplet is said here of excited states",
        "give the `multiplicity` of the molecule, 2S + 1: 2 for a radical, 3 for a triplet",
    )


class StatesForm(Form):
    """Excited states, and how they are found."""

    states: Annotated[
        States | None,
        OtherNames(("nstates", "n_states", "nroots", "roots")),
        Field(description="Excited states, how many."),
    ] = None
    response: Annotated[
        ResponseName,
        OF_STATES,
        Rare(),
        RESPONSES,
        Field(description="How excited states are found."),
    ] = "TDDFT"
    spin: Annotated[
        StateSpin,
        OF_STATES,
        SPINS,
        Elsewhere(_of_the_molecule),
        Field(description="Spin of the excited states of a closed shell."),
    ] = "singlet"
    solvent_response: Annotated[
        SolventResponse,
        OF_STATES,
        Rare(),
        Field(description="How the solvent follows an excitation."),
    ] = "non-equilibrium"


def spin_meant(value: object, said: Mapping[str, object]) -> dict[str, object]:
    """Return what is meant by the spin of what is asked: that of its states, else the molecule's.

    Raises:
        InputError: a number, which one program takes for 2S and another for 2S+1.
    """
    if said.get("states"):
        return {"spin": value}
    number = str(value).strip()
    if number.isdecimal():
        raise InputError(
            f"spin={number} was asked for",
            "that may be the number of unpaired electrons, or the multiplicity, larger by one",
            f"give `uhf` {number} (unpaired electrons) or `multiplicity` {number}",
        )
    return {"multiplicity" if number.lower() in SPIN_STATES else "spin": value}


def effort(request: StatesForm) -> Effort:
    """Return what excited states take.

    Measured (PySCF 2.14): the solver tries some 18 amplitudes a state within the Tamm-Dancoff
    approximation, and 15 (pure functionals) to 65 (Hartree-Fock) without, where the stability of
    the ground state is seen to before.
    """
    width = (request.states or 0) + 2
    full = request.response == "TDDFT"
    return Effort(vectors=40 * (1 + full) * width, trials=32 * width + 60 if full else 18 * width)


def check(atoms: ConceptualAtoms, level: LevelOfTheory, request: StatesForm) -> None:
    """Check that there are such excited states, before anything is computed.

    Raises:
        InputError: there are none, or the response of a solvent is asked for without one.
        RecipeError: PySCF has no response for the reference.
    """
    from ..properties.excitation import check_states

    check_states(atoms, level, request.states or 0, request.spin)
    if request.solvent_response != "non-equilibrium" and level.solvation is None:
        raise InputError(
            f"{field_text('solvent_response', request.solvent_response)} was asked for",
            f"{level.label} has no solvent, so that it has no effect",
            "ask for a solvent too, or leave `solvent_response` out",
        )
