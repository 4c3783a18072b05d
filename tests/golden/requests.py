"""What the golden store was asked for, as people ask; asked again, all of it is remembered."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

from ontologies import ConceptualAtoms

Verb: TypeAlias = Literal["run", "spin_states", "interaction"]


class Request(NamedTuple):
    """One request.

    Attributes:
        verb: the method of a session.
        molecule: what it is given.
        asked: the rest.
    """

    verb: Verb
    molecule: str | ConceptualAtoms
    asked: dict[str, Any]


HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
DFT: dict[str, Any] = {"method": "B3LYP", "basis": "STO-3G"}
HELIUM = ConceptualAtoms(numbers=[2, 2], positions=[[0, 0, 0], [0, 0, 2.5]])
BENT = ConceptualAtoms(numbers=[8, 1, 1], positions=[[0, 0, 0], [0.9, 0.3, 0], [-0.9, 0.3, 0]])

REQUESTS: dict[str, Request] = {
    "HF": Request("run", "O", {**HF}),
    "a name, and the defaults of the settings": Request("run", "hydrogen", {}),
    "DFT with dispersion": Request("run", "O", {**DFT, "dispersion": "d4"}),
    "DFT with a grid": Request("run", "[HH]", {**DFT, "grid": 2}),
    "density fitting": Request(
        "run", "[HH]", {"method": "PBE", "basis": "def2-SVP", "density_fitting": True}
    ),
    "Cartesian functions": Request("run", "O", {**HF, "basis": "6-31G*", "cartesian": True}),
    "solvent": Request("run", "O", {**HF, "solvent": "water"}),
    "SMD": Request("run", "[F-]", {**HF, "solvent": "water", "solvation": "SMD"}),
    "open shell": Request("run", "[OH]", {**HF}),
    "restricted open shell": Request("run", "[OH]", {**HF, "reference": "restricted open-shell"}),
    "a charge and a multiplicity": Request(
        "run", "O", {**HF, "charge": 1, "multiplicity": 2, "stable": True}
    ),
    "optimisation": Request("run", BENT, {**HF, "task": "optimise", "convergence": "loose"}),
    "optimisation under constraints": Request(
        "run", BENT, {**HF, "task": "optimise", "constraints": ("angle 2 1 3 120",)}
    ),
    "frequencies and thermochemistry": Request("run", "O", {**HF, "task": "frequencies"}),
    "frequencies of DFT, warm": Request(
        "run",
        "[HH]",
        {**DFT, "task": "frequencies", "temperature": 350.0, "treatment": "quasi-RRHO"},
    ),
    "analysis": Request("run", "O", {**HF, "analysis": True}),
    "excited states": Request("run", "O", {**HF, "states": 2}),
    "triplets by TDA": Request(
        "run", "O", {**HF, "states": 1, "response": "TDA", "spin": "triplet"}
    ),
    "stability": Request("run", "O", {**HF, "stability": True}),
    "a solution that is left": Request(
        "run",
        ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 2.5]]),
        {**HF, "stability": True},
    ),
    "spin states": Request("spin_states", "[CH2]", {**HF, "multiplicities": (1, 3)}),
    "relaxed spin states": Request("spin_states", "[NH]", {**HF, "task": "optimise", "highest": 3}),
    "counterpoise": Request("interaction", HELIUM, {**HF}),
    "counterpoise of parts that are named": Request(
        "interaction",
        "[Li+].[H-]",
        {**HF, "fragments": "1 2", "fragment_charges": (-1, 1)},
    ),
}

KILLED = Request("run", "N#N", {**HF, "task": "frequencies"})
"""Its process was killed after the optimisation."""

INTERRUPTED = Request("run", "[C-]#[O+]", {**HF, "task": "frequencies"})
"""Somebody cancelled it after the optimisation."""

UNMET = Request("run", "F", {**HF, "task": "frequencies"})
"""Whoever chose the steps ended it after the optimisation."""

FAILED = Request("run", BENT, {**HF, "task": "optimise", "max_steps": 1, "convergence": "tight"})
"""One step did not lead there."""

MICROWAVE = (
    "--vial",
    "3",
    "--temperature",
    "100",
    "--duration",
    "50",
    "--pressure",
    "3",
    "--heat",
    "--conversion",
    "--speed",
    "100000",
)
QUESTION = "What is the energy of water at HF/STO-3G?"
