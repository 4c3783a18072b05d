"""What another program found for the molecules of the exercises, and how it was asked.

``python -m evals.exercises._references [MOLECULE-KIND …]`` computes anew what is missing in
``references/``: at HF by Psi4, at B3LYP by NWChem with Psi4's energy beside it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from ase.data import atomic_numbers
from pydantic import BaseModel, ConfigDict

from evals.validation import nwchem, psi4
from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from workflows.molecule.xyz import read_xyz

HERE = Path(__file__).parent
EV = HARTREE["eV"]
STRUCTURES, REFERENCES = HERE / "structures", HERE / "references"

BODY = """\
psi4.set_options(dict(g_convergence="gau_verytight", opt_coordinates="cartesian", geom_maxiter=300))
found = {{}}
psi4.optimize({method!r}, molecule=mol)
{masses}
energy, wfn = psi4.frequency({method!r}, molecule=mol, return_wfn=True)
modes = wfn.frequency_analysis
kept = [n for n, kind in enumerate(modes["TRV"].data) if kind == "V"]
waves = [modes["omega"].data[n] for n in kept]
found["wavenumbers"] = [float(wave.real - wave.imag) for wave in waves]
energy, wfn = psi4.energy({method!r}, molecule=mol, return_wfn=True)
psi4.oeprop(wfn, "DIPOLE", title="ONE")
found["energy"] = energy
found["dipole"] = [psi4.variable("ONE DIPOLE " + axis) for axis in "XYZ"]
found["gap"] = float(wfn.epsilon_a().np[wfn.nalpha()] - wfn.epsilon_a().np[wfn.nalpha() - 1])
found["positions"] = (mol.geometry().np * psi4.constants.bohr2angstroms).tolist()
"""

SMALL = (
    *("formaldehyde", "formic_acid", "methylammonium", "formate"),
    *("chlorine_trifluoride", "hydrogen_fluorophosphate"),
    *("nitrogen_trifluoride", "tetrafluoroborate", "sulfur_tetrafluoride", "perchlorate"),
)
RINGS = ("cyclobutane", "methylcyclopropane", "cyclopentane", "methylcyclobutane")
"""At HF/def2-SVP, by Psi4; rings with heats, too."""


WATER = "water"

KINDS: Mapping[str, Sequence[str]] = {
    "given": ("states",),
    "excited": ("relax", "modes", "states"),
    "minimum": ("relax", "modes"),
    WATER: ("relax",),
    "acid": ("relax", "modes"),
}
"""What is found at B3LYP/def2-SVP, by the second word of a reference; the last two in water, where
vibrations are those of the gas phase."""

FUNCTIONAL: Mapping[str, str] = {
    "given": "formaldehyde glyoxal ethene",
    "excited": "formaldehyde thioformaldehyde",
    "minimum": "hydride methane methyl_cation ethane ethyl_cation",
    "acid": "formic_acid formate",
    WATER: "formic_acid formate hydrogen_fluoride fluoride hydrogen_cyanide cyanide",
}
"""Molecules of each kind."""

SYMMETRY = {"C1": 1, "Cs": 1, "C2": 2, "C2v": 2, "C3v": 3, "D2h": 4, "D2d": 4, "D3h": 6}
SYMMETRY.update({"D3d": 6, "Td": 12, "Kh": 1})
"""Rotational symmetry numbers of point groups."""

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
        energy: in Eh.
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


def reference(molecule: str) -> Reference:
    """Return what is kept of a molecule."""
    return Reference.model_validate_json((REFERENCES / f"{molecule}.json").read_bytes())


def start(molecule: str) -> ConceptualAtoms:
    """Return where its search begins: the file of the exercise."""
    path = STRUCTURES / f"{molecule}.xyz"
    found = read_xyz(path, path.read_text("utf-8"))
    del found["comment"]
    return ConceptualAtoms(**found)


def computed(molecule: str, method: str = "HF", basis: str = "def2-SVP") -> Reference:
    """Return what Psi4 finds from the file of a molecule.

    Raises:
        ComponentError: Psi4 is not installed.
        InputError: it fails.
    """
    atoms = start(molecule)
    masses = "\n".join(f"mol.set_mass({n}, {m})" for n, m in enumerate(psi4.mean_masses(atoms)))
    options: Mapping[str, Any] = {
        "basis": basis,
        "scf_type": "pk",
        "e_convergence": 1e-10,
        "d_convergence": 1e-9,
        "dft_spherical_points": 590,
        "dft_radial_points": 99,
    }
    body = BODY.format(method=method.lower(), masses=masses)
    found = psi4.run(psi4.input_of(atoms, options, body))
    group = _point_group(atoms.symbols, found["positions"])
    more: dict[str, Any] = {}
    if molecule in RINGS:
        heat = _heat(atoms.symbols, found["positions"], found["wavenumbers"], SYMMETRY[group])
        more = {
            "enthalpy": found["energy"] + heat.get_enthalpy(TEMPERATURE, verbose=False) / EV,
            "gibbs": found["energy"] + heat.get_gibbs_energy(TEMPERATURE, PRESSURE, False) / EV,
        }
    else:
        more = {"dipole": float(np.linalg.norm(found["dipole"])), "gap": found["gap"]}
    return Reference(
        molecule=molecule,
        charge=atoms.charge,
        method=method,
        basis=basis,
        symbols=tuple(atoms.symbols),
        positions=found["positions"],
        energy=found["energy"],
        lowest=min(found["wavenumbers"]),
        point_group=group,
        source=f"Psi4 {psi4.version()}: minimum (gau_verytight), analytic second derivatives"
        + "; heats by ASE" * (molecule in RINGS),
        **more,
    )


def with_functional(molecule: str, kind: str) -> Reference:
    """Return what NWChem finds from the file of a molecule at B3LYP/def2-SVP.

    The energy of what is in no solvent is computed again by Psi4, at the same positions; heats
    follow from the wavenumbers by ASE.

    Raises:
        ComponentError: one of the programs is not installed.
        InputError: one of them fails.
    """
    atoms, wet = start(molecule), kind in (WATER, "acid")
    tasks = [one for one in KINDS[kind] if len(atoms.symbols) > 1]
    found: Mapping[str, Any] = {}
    if kind != WATER:
        found = nwchem.Job(atoms, tasks=tasks).run()
    inside = [one for one in tasks if one == "relax"]
    end = nwchem.Job(atoms, tasks=inside, water=True).run() if wet else found
    places = end["positions"] if "relax" in tasks else atoms.positions.tolist()
    group = _point_group(atoms.symbols, places) if len(atoms.symbols) > 1 else "Kh"
    source = f"{end['version']}: {', '.join(tasks) or 'energy'}, grid fine"
    if wet:
        source += "; COSMO with (ε − 1)/ε" + ", vibrations in the gas phase" * (kind == "acid")
    else:
        there = psi4.Job(atoms.moved_to(places), "b3lyp", "def2-svp").run()["energy"]
        source += f"; Psi4 {psi4.version()}: {(there - end['energy']) * 1e6:+.1f} µEh"
    more: dict[str, Any] = {}
    if "modes" in KINDS[kind]:
        heat = _heat(atoms.symbols, found["positions"], found["wavenumbers"], SYMMETRY[group])
        more = {
            "enthalpy": end["energy"] + heat.get_enthalpy(TEMPERATURE, verbose=False) / EV,
            "gibbs": end["energy"] + heat.get_gibbs_energy(TEMPERATURE, PRESSURE, False) / EV,
        }
        if found["wavenumbers"]:
            more["lowest"] = min(found["wavenumbers"])
        source += "; heats by ASE"
    if "states" in tasks:
        more["singlet"], more["triplet"] = found["singlet"][0] * EV, found["triplet"][0] * EV
        more["strength"] = found["strengths"][0]
    return Reference(
        molecule=molecule,
        charge=atoms.charge,
        method="B3LYP",
        basis="def2-SVP",
        symbols=tuple(atoms.symbols),
        positions=places,
        energy=end["energy"],
        point_group=group,
        source=source,
        solvent=WATER if wet else "",
        relaxed="relax" in KINDS[kind],
        **more,
    )


def _heat(symbols: Sequence[str], places: Any, waves: Sequence[float], symmetry: int) -> Any:
    from ase import Atoms
    from ase.thermochemistry import IdealGasThermo
    from ase.units import invcm

    return IdealGasThermo(
        [one * invcm for one in waves],
        geometry="monatomic" if len(symbols) == 1 else "nonlinear",
        atoms=Atoms(symbols, places),
        symmetrynumber=symmetry,
        spin=0,
    )


def _point_group(symbols: Sequence[str], positions: Sequence[Sequence[float]]) -> str:
    from pymatgen.core import Molecule
    from pymatgen.symmetry.analyzer import PointGroupAnalyzer

    molecule = Molecule(list(symbols), [list(one) for one in positions])
    return str(PointGroupAnalyzer(molecule, tolerance=0.01).sch_symbol)


def main(asked: Sequence[str]) -> None:
    """Compute what is missing, or those of it that are asked for."""
    REFERENCES.mkdir(exist_ok=True)
    psi4.PATIENCE = 3600
    kinds = {f"{name}-{kind}": kind for kind, all in FUNCTIONAL.items() for name in all.split()}
    for name in asked or (*SMALL, *RINGS, *kinds):
        path = REFERENCES / f"{name}.json"
        if not path.exists():
            molecule = name.partition("-")[0]
            found = with_functional(molecule, kinds[name]) if name in kinds else computed(name)
            body = found.model_dump(exclude_none=True, exclude_defaults=True)
            path.write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
            print(f"{name}: {found.energy:.8f} Eh, {found.point_group}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
