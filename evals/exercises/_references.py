"""What another program found for the molecules of the exercises, and how it was asked.

``python -m evals.exercises._references`` computes anew what is missing in ``references/``, by Psi4.
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

from evals.validation import psi4
from ontologies.atoms import ConceptualAtoms
from workflows.molecule.xyz import read_xyz

HERE = Path(__file__).parent
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
found["lowest"] = min(float(wave.real - wave.imag) for wave in waves)
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
"""Of the small profile; all closed shells, at HF/def2-SVP."""


class Reference(BaseModel):
    """A molecule at its minimum, as another program has it.

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
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    molecule: str
    charge: int
    method: str
    basis: str
    symbols: tuple[str, ...]
    positions: tuple[tuple[float, float, float], ...]
    energy: float
    dipole: float
    gap: float
    lowest: float
    point_group: str
    source: str

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
    return Reference(
        molecule=molecule,
        charge=atoms.charge,
        method=method,
        basis=basis,
        symbols=tuple(atoms.symbols),
        positions=found["positions"],
        energy=found["energy"],
        dipole=float(np.linalg.norm(found["dipole"])),
        gap=found["gap"],
        lowest=found["lowest"],
        point_group=_point_group(atoms.symbols, found["positions"]),
        source=f"Psi4 {psi4.version()}: minimum (gau_verytight), analytic second derivatives",
    )


def _point_group(symbols: Sequence[str], positions: Sequence[Sequence[float]]) -> str:
    from pymatgen.core import Molecule
    from pymatgen.symmetry.analyzer import PointGroupAnalyzer

    molecule = Molecule(list(symbols), [list(one) for one in positions])
    return str(PointGroupAnalyzer(molecule, tolerance=0.01).sch_symbol)


def main() -> None:
    """Compute what is missing."""
    REFERENCES.mkdir(exist_ok=True)
    psi4.PATIENCE = 3600
    for molecule in SMALL:
        path = REFERENCES / f"{molecule}.json"
        if not path.exists():
            found = computed(molecule)
            path.write_text(json.dumps(found.model_dump(), indent=1) + "\n", encoding="utf-8")
            print(f"{molecule}: {found.energy:.8f} Eh, {found.point_group}", file=sys.stderr)


if __name__ == "__main__":
    main()
