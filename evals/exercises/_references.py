"""What another program found for the molecules of the exercises, and how it was asked.

``python -m evals.exercises._references [MOLECULE-KIND …]`` computes what is missing in
``references/`` of the small profile, or what is named: at HF by Psi4, at B3LYP by NWChem with its
energy by Psi4 beside. With ``list`` it tells what there is.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from ase.data import atomic_numbers
from pydantic import BaseModel, ConfigDict

from evals.validation import nwchem, psi4
from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from workflows.molecule.xyz import read_xyz

HERE = Path(__file__).parent
EV = HARTREE["eV"]
STRUCTURES, REFERENCES = HERE / "structures", HERE / "references"


@dataclass(frozen=True)
class Kind:
    """What is found of a molecule.

    Attributes:
        method: of everything; HF by Psi4, B3LYP by NWChem.
        tasks: of the program, in order.
        values: what the reference has besides its energy.
        water: whether it lies in water; vibrations are those of the gas phase all the same.
        basis: of everything.
    """

    method: str
    tasks: tuple[str, ...]
    values: tuple[str, ...] = ()
    water: bool = False
    basis: str = "def2-SVP"


HEATS, STATES = ("lowest", "enthalpy", "gibbs"), ("singlet", "strength", "triplet")

KINDS: Mapping[str, Kind] = {
    "": Kind("HF", ("relax", "modes"), ("lowest", "dipole", "gap")),
    "heated": Kind("HF", ("relax", "modes"), HEATS, basis="3-21G"),
    "minimum": Kind("B3LYP", ("relax", "modes"), HEATS),
    "given": Kind("B3LYP", ("states",), STATES),
    "excited": Kind("B3LYP", ("relax", "modes", "states"), ("lowest", *STATES)),
    "acid": Kind("B3LYP", ("relax", "modes"), HEATS, water=True),
    "water": Kind("B3LYP", ("relax",), water=True),
}
"""By what stands behind the last hyphen of the name of a reference, if that is one of these."""

SYMMETRY: Mapping[str, int] = {
    **{"C1": 1, "Cs": 1, "C2": 2, "C2v": 2, "C3v": 3, "D2h": 4, "D2d": 4, "D3h": 6, "D3d": 6},
    **{"Td": 12, "Kh": 1, "C3h": 3, "C2h": 2, "D2": 4, "D6h": 12},
}
"""Rotational symmetry numbers of point groups."""

WATER = "water"

TEMPERATURE, PRESSURE = 298.15, 101325.0


class Reference(BaseModel):
    """A molecule at its minimum, or as it was given, as another program has it.

    Attributes:
        molecule: its name, which is that of the file in ``structures/`` where the search began.
        charge: in e.
        method: of energies and geometry.
        basis: likewise.
        symbols: of the elements.
        positions: in Å, shape (atoms, 3).
        energy: in Eh; NaN, as all values that there should be, where nobody has found them yet.
        dipole: its length in D; of a charged molecule about its centre of mass, not compared.
        gap: between frontier orbitals, in Eh.
        lowest: the lowest wavenumber, in cm⁻¹.
        point_group: by pymatgen, from these positions.
        source: how all this was found.
        solvent: around it; empty for none.
        relaxed: whether it is at its minimum.
        enthalpy: at 298.15 K, ideal gas, rigid rotor, harmonic oscillator, in Eh.
        gibbs: likewise, at 1 atm.
        singlet: vertical energy of the lowest excited singlet, in eV.
        strength: oscillator strength of that.
        triplet: vertical energy of the lowest triplet, in eV.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    molecule: str
    charge: int
    method: str
    basis: str
    symbols: tuple[str, ...]
    positions: tuple[tuple[float, float, float], ...]
    energy: float
    dipole: float | None = None
    gap: float | None = None
    lowest: float | None = None
    point_group: str
    source: str
    solvent: str = ""
    relaxed: bool = True
    enthalpy: float | None = None
    gibbs: float | None = None
    singlet: float | None = None
    strength: float | None = None
    triplet: float | None = None

    @property
    def singlet_triplet_gap(self) -> float | None:
        """The first singlet less the first triplet, in eV."""
        if self.singlet is None or self.triplet is None:
            return None
        return self.singlet - self.triplet

    @property
    def atoms(self) -> ConceptualAtoms:
        """The minimum."""
        numbers = [atomic_numbers[one] for one in self.symbols]
        return ConceptualAtoms(
            numbers=numbers, positions=self.positions, charge=self.charge, multiplicity=1
        )


@cache
def reference(name: str) -> Reference:
    """Return what is kept under a name, or a molecule as it was built if nothing is."""
    path = REFERENCES / f"{name}.json"
    if path.exists():
        return Reference.model_validate_json(path.read_bytes())
    molecule, kind = parts(name)
    atoms = start(molecule)
    values = dict.fromkeys(("energy", *kind.values), math.nan)
    return _found(molecule, kind, atoms, atoms.positions.tolist(), "", values)


def parts(name: str) -> tuple[str, Kind]:
    """Return the molecule and the kind that the name of a reference is made of."""
    molecule, _, kind = name.rpartition("-")
    return (molecule, KINDS[kind]) if molecule and kind in KINDS else (name, KINDS[""])


def topics() -> list[str]:
    """Return the exercises that there are."""
    return sorted(one.stem for one in HERE.glob("*.yaml"))


@cache
def known(topic: str) -> list[dict[str, Any]]:
    """Return all cases of an exercise, as they are written."""
    return yaml.safe_load((HERE / f"{topic}.yaml").read_text("utf-8"))


def names(profile: str) -> list[str]:
    """Return the names of all references that the cases of a profile ask for."""
    cases = (
        one["metadata"] for each in topics() for one in known(each) if one["profile"] == profile
    )
    return list(dict.fromkeys(name for case in cases for name in case["molecules"]))


def start(molecule: str) -> ConceptualAtoms:
    """Return where its search begins: the file of the exercise."""
    path = STRUCTURES / f"{molecule}.xyz"
    found = read_xyz(path, path.read_text("utf-8"))
    del found["comment"]
    return ConceptualAtoms(**found)


def with_hartree_fock(molecule: str, kind: Kind) -> Reference:
    """Return what Psi4 finds from the file of a molecule at HF.

    Raises:
        GraficoError: Psi4 is not installed, or fails.
    """
    atoms, heated = start(molecule), "gibbs" in kind.values
    options = {"basis": kind.basis, "scf_type": "pk", "e_convergence": 1e-10, "d_convergence": 1e-9}
    masses = "\n".join(f"mol.set_mass({n}, {m})" for n, m in enumerate(psi4.mean_masses(atoms)))
    given = {"method": "hf", "masses": masses, "hessians": 0 if heated else -1}
    body = psi4.INPUTS["psi4 minimum"].format(**given)
    found = psi4.run(psi4.input_of(atoms, options, body))
    source = f"Psi4 {psi4.version()}: minimum (gau_verytight), analytic second derivatives"
    more = {"dipole": float(np.linalg.norm(found["dipole"])), "gap": found["gap"]}
    if heated:
        more = _heat(atoms.symbols, found, found["energy"])
    values = {"energy": found["energy"], "lowest": min(found["wavenumbers"]), **more}
    return _found(
        molecule, kind, atoms, found["positions"], source + "; heats by ASE" * heated, values
    )


def with_functional(molecule: str, kind: Kind) -> Reference:
    """Return what NWChem finds from the file of a molecule at B3LYP/def2-SVP.

    The energy of what is in no solvent is computed again by Psi4, at the same positions; heats
    follow from the wavenumbers by ASE.

    Raises:
        GraficoError: one of the programs is not installed, or fails.
    """
    atoms, wet = start(molecule), kind.water
    tasks = [one for one in kind.tasks if len(atoms.symbols) > 1]
    found: Mapping[str, Any] = {}
    if not wet or "modes" in kind.tasks:
        found = nwchem.Job(atoms, tasks=tasks).run()
    inside = [one for one in tasks if one == "relax"]
    end = nwchem.Job(atoms, tasks=inside, water=True).run() if wet else found
    places = end["positions"] if "relax" in tasks else atoms.positions.tolist()
    source = f"{end['version']}: {', '.join(tasks) or 'energy'}, grid fine"
    if wet:
        source += "; COSMO with (ε − 1)/ε" + ", vibrations in the gas phase" * ("modes" in tasks)
    else:
        there = psi4.Job(atoms.moved_to(places), "b3lyp", "def2-svp").run()["energy"]
        source += f"; Psi4 {psi4.version()}: {(there - end['energy']) * 1e6:+.1f} µEh"
    values: dict[str, Any] = {"energy": end["energy"]}
    if "modes" in kind.tasks:
        values |= _heat(atoms.symbols, found, end["energy"])
        if found["wavenumbers"]:
            values["lowest"] = min(found["wavenumbers"])
        source += "; heats by ASE"
    if "states" in tasks:
        values |= {"singlet": found["singlet"][0] * EV, "triplet": found["triplet"][0] * EV}
        values["strength"] = found["strengths"][0]
    return _found(molecule, kind, atoms, places, source, values)


def _found(
    molecule: str, kind: Kind, atoms: ConceptualAtoms, places: Any, source: str, values: Any
) -> Reference:
    """Return a reference; without a source nobody has looked for its values yet."""
    return Reference(
        molecule=molecule,
        charge=atoms.charge,
        method=kind.method,
        basis=kind.basis,
        symbols=tuple(atoms.symbols),
        positions=places,
        point_group=_point_group(atoms.symbols, places) if source else "",
        source=source,
        solvent=WATER if kind.water else "",
        relaxed="relax" in kind.tasks,
        **values,
    )


def _heat(symbols: Sequence[str], found: Mapping[str, Any], energy: float) -> dict[str, float]:
    """Return enthalpy and Gibbs energy in Eh."""
    from ase import Atoms
    from ase.thermochemistry import IdealGasThermo
    from ase.units import invcm

    places = found["positions"]
    heat: Any = IdealGasThermo(
        [one * invcm for one in found["wavenumbers"]],
        geometry="monatomic" if len(symbols) == 1 else "nonlinear",
        atoms=Atoms(symbols, places),
        symmetrynumber=SYMMETRY[_point_group(symbols, places)],
        spin=0,
    )
    gibbs = heat.get_gibbs_energy(TEMPERATURE, PRESSURE, False)
    enthalpy = heat.get_enthalpy(TEMPERATURE, verbose=False)
    return {"enthalpy": energy + enthalpy / EV, "gibbs": energy + gibbs / EV}


def _point_group(symbols: Sequence[str], positions: Sequence[Sequence[float]]) -> str:
    from pymatgen.core import Molecule
    from pymatgen.symmetry.analyzer import PointGroupAnalyzer

    if len(symbols) == 1:
        return "Kh"
    molecule = Molecule(list(symbols), [list(one) for one in positions])
    return str(PointGroupAnalyzer(molecule, tolerance=0.01).sch_symbol)


def main(asked: Sequence[str]) -> None:
    """Compute what is missing, or those of it that are asked for; `list` tells what is there."""
    REFERENCES.mkdir(exist_ok=True)
    psi4.PATIENCE = nwchem.PATIENCE = 6 * 3600
    every = {profile: names(profile) for profile in ("small", "full")}
    if asked == ["list"]:
        for profile, some in every.items():
            lacking = [one for one in some if not (REFERENCES / f"{one}.json").exists()]
            print(f"{profile}: {len(some) - len(lacking)} of {len(some)}; {', '.join(lacking)}")
        return
    for name in asked or every["small"]:
        path, (molecule, kind) = REFERENCES / f"{name}.json", parts(name)
        if not path.exists():
            if kind.method == "HF":
                found = with_hartree_fock(molecule, kind)
            else:
                found = with_functional(molecule, kind)
            body = found.model_dump(exclude_none=True, exclude_defaults=True)
            path.write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
            print(f"{name}: {found.energy:.8f} Eh, {found.point_group}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
