"""``grafico spin-states`` and ``interaction``: energies beside each other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from .cli import DEFAULTS, charge_option, computing, kind_option, main, options, session
from .forms import FormCommand, Forms, given
from .say import say

if TYPE_CHECKING:
    from .comparing import Interaction, SpinStates


def _spin_forms() -> Forms:
    from workflows.dft.request import LevelRequest
    from workflows.dft.spin_states import SpinStatesRequest

    return (SpinStatesRequest, LevelRequest), DEFAULTS


def _interaction_forms() -> Forms:
    from workflows.dft.counterpoise import InteractionRequest
    from workflows.dft.request import LevelRequest

    return (InteractionRequest, LevelRequest), DEFAULTS


@main.command(cls=FormCommand, forms=_spin_forms)
@click.argument("molecule")
@options(kind_option, charge_option, *computing)
def spin_states(
    molecule: str,
    threads: int | None,
    trace: str | None,
    quiet: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
    **asked: Any,
) -> None:
    """Compare the multiplicities of MOLECULE.

    MOLECULE is what `grafico run` takes. Multiplicities that fail are told, the others compared.
    """
    from .progress import Progress
    from .tables import summary

    with (
        Progress(quiet) as progress,
        session(store, threads_per_calculation=threads, listener=progress, trace=trace) as grafico,
    ):
        result = grafico.spin_states(molecule, **given(asked))
    if as_json:
        say(json.dumps(states_as_dict(result), indent=2, allow_nan=False))
    else:
        summary(result.ran)


@main.command(cls=FormCommand, forms=_interaction_forms)
@click.argument("molecule")
@options(
    kind_option,
    charge_option,
    click.option("--multiplicity", type=int, help="2S+1 of the whole."),
    *computing,
)
def interaction(
    molecule: str,
    threads: int | None,
    trace: str | None,
    quiet: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
    **asked: Any,
) -> None:
    """Find how strongly the fragments of MOLECULE hold together.

    MOLECULE is what `grafico run` takes. The energy is corrected for the superposition of the
    fragments' basis sets by Boys and Bernardi's counterpoise method.
    """
    from .progress import Progress
    from .tables import summary

    with (
        Progress(quiet) as progress,
        session(store, threads_per_calculation=threads, listener=progress, trace=trace) as grafico,
    ):
        result = grafico.interaction(molecule, **given(asked))
    if as_json:
        say(json.dumps(interaction_as_dict(result), indent=2, allow_nan=False))
    else:
        summary(result.ran)


def states_as_dict(result: SpinStates) -> dict[str, Any]:
    """Return a comparison of multiplicities as JSON can hold it; units stand in the names."""
    from workflows.run_blocks import run_blocks

    from .comparing import parts_of
    from .views.jsonable import jsonable

    scan = result.scan
    return {
        "run": result.run,
        "status": result.status,
        "message": result.message,
        "remarks": list(result.remarks),
        "reused": result.reused,
        "iri": scan.iri,
        "ground_multiplicity": scan.ground_multiplicity,
        "relaxed": scan.relaxed,
        "states": [
            {
                "multiplicity": state.multiplicity,
                "energy_Eh": state.energy,
                "relative_energy_Eh": result.relative[state.multiplicity],
                "spin_squared": state.spin_squared,
                "level": state.level.label,
                "result": state.result.iri,
            }
            for state in scan.states
        ],
        "failures": {str(spin): str(error) for spin, error in result.errors.items()},
        "parts": parts_of(result.answers),
        "blocks": jsonable(run_blocks(result.ran)),
        "atoms": {"iri": result.atoms.iri, **result.atoms.model_dump(mode="json")},
    }


def interaction_as_dict(result: Interaction) -> dict[str, Any]:
    """Return an interaction as JSON can hold it; units stand in the names."""
    from workflows.run_blocks import run_blocks

    from .comparing import parts_of
    from .views.jsonable import jsonable

    energy = result.energy
    return {
        "run": result.run,
        "status": result.status,
        "message": result.message,
        "remarks": list(result.remarks),
        "reused": result.reused,
        "iri": energy.iri,
        "level": energy.level.label,
        "uncorrected_Eh": energy.uncorrected,
        "corrected_Eh": energy.corrected,
        "superposition_error_Eh": energy.superposition_error,
        "fragments": [
            {"atoms": part.label, "charge": part.charge, "multiplicity": part.multiplicity}
            for part in energy.fragments
        ],
        "parts": parts_of(result.answers),
        "blocks": jsonable(run_blocks(result.ran)),
        "atoms": {"iri": energy.atoms.iri, **energy.atoms.model_dump(mode="json")},
    }
