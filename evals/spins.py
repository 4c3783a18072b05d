"""Spins that are read from notations beside calculations of both states.

``python -m evals.spins`` relaxes the state that is taken and the nearest other one, with PySCF
alone: unrestricted, the instabilities of the solution followed, from the structure that Grafico
builds (diatomics along their bond, others with geomeTRIC). It prints by how much the other state
lies higher, and what is at odds.

Single determinants cannot decide some of them, which `HARD` names; the table has measured those.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from rdkit import Chem

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from ontologies.units import Floats
from workflows.molecule import embed
from workflows.molecule.notation import read_smiles
from workflows.molecule.spin import read_spin

SPECIES = (
    "[C]F", "[CH]", "[SiH]", "[C]Cl", "[Si]F", "[NH+]", "[PH+]", "[N+]F", "[B]F", "[BH]",
    "[AlH]", "[Al]F", "[N]F", "[N]Cl", "[OH+]", "O=O", "S=S", "S=O", "[B][B]", "[Al][Al]",
    "[Si][Si]", "[C][Li]", "[C]=[Si]", "[C]=[C]", "[NH]", "[P]F", "[CH2]", "[SiH2]", "[CH]F",
    "F[C]F", "[NH2+]", "[PH2+]", "F[N+]F", "F[NH+]", "N[N]", "C[N]", "O[N]", "B=B",
    "[C]=[N+]=[N-]", "C=[C]", "C1=C[C]1", "C[C]C", "[CH]C#N", "[C]=C=O", "C[B]", "C[C]", "C[Al]",
    "[CH]OC", "[CH][N+](=O)[O-]",
)  # fmt: skip

GRID = 2
"""Of PySCF; gaps of some kcal/mol do not need more."""

HARD = {
    "[C]=[C]": "two determinants: density functionals put the triplet below",
    "[CH]": "Hartree–Fock puts the quartet below; functionals do not",
}
"""What a single determinant may get wrong, and why."""


def states(smiles: str) -> tuple[ConceptualAtoms, int, int]:
    """Return the structure of a SMILES, the multiplicity that is taken, and the nearest other."""
    spin = read_spin(Chem.AddHs(read_smiles(smiles, smiles)))
    others = sorted(spin.others, key=lambda one: abs(one - spin.multiplicity))
    return embed(smiles, "smiles").atoms, spin.multiplicity, others[0]


def relaxed(atoms: ConceptualAtoms, multiplicity: int, xc: str, basis: str) -> float:
    """Return the energy of a state at its own geometry, in Eh."""
    from pyscf.geomopt import geometric_solver
    from scipy.optimize import minimize_scalar

    start = _molecule(atoms.symbols, atoms.positions, atoms.charge, multiplicity, basis)
    mean_field = _stable(start, xc)
    if len(atoms.numbers) > 2:
        _, molecule = geometric_solver.kernel(mean_field, maxsteps=30)
        return float(_stable(molecule, xc, mean_field.make_rdm1()).e_tot)
    densities: list[Any] = [mean_field.make_rdm1()]

    def at(length: float, most: int = 0) -> float:
        places = np.array([[0, 0, 0], [0, 0, length]])
        molecule = _molecule(atoms.symbols, places, atoms.charge, multiplicity, basis)
        found = _stable(molecule, xc, densities[-1], most)
        densities.append(found.make_rdm1())
        return float(found.e_tot)

    usual = float(np.linalg.norm(atoms.positions[1] - atoms.positions[0]))
    options = {"xatol": 0.004, "maxiter": 10}
    near = (0.8 * usual, 1.35 * usual)
    best: Any = minimize_scalar(at, bounds=near, method="bounded", options=options)
    return at(float(best.x), most=4)


def _molecule(
    symbols: Sequence[str], places: Floats, charge: int, multiplicity: int, basis: str
) -> Any:
    from pyscf import gto

    atoms = list(zip(symbols, places.tolist(), strict=True))
    return gto.M(atom=atoms, charge=charge, spin=multiplicity - 1, basis=basis, verbose=0)


def _stable(molecule: Any, xc: str, density: Any = None, most: int = 4) -> Any:
    from pyscf import dft, scf

    mean_field: Any = scf.UHF(molecule) if xc == "HF" else dft.UKS(molecule, xc=xc)
    mean_field.max_cycle = 200
    if xc != "HF":
        mean_field.grids.level = GRID
    mean_field.kernel(density)
    if not mean_field.converged:
        mean_field = mean_field.newton().run()
    for _ in range(most):
        orbitals, _, stable, _ = mean_field.stability(return_status=True)
        if stable:
            break
        mean_field = mean_field.newton().run(mean_field.make_rdm1(orbitals, mean_field.mo_occ))
    return mean_field


def compared(xc: str, basis: str, only: tuple[str, ...] = SPECIES) -> Iterator[tuple[str, Any]]:
    """Yield species with both multiplicities and by how much the other lies higher, in kcal/mol."""
    for smiles in only:
        atoms, taken, other = states(smiles)
        energies = [relaxed(atoms, one, xc, basis) for one in (taken, other)]
        yield smiles, (taken, other, (energies[1] - energies[0]) * HARTREE["kcal/mol"])


def main() -> int:
    """Print the comparison; return how many are at odds that nothing is known against."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--functional", default="B3LYP", help="or HF")
    parser.add_argument("--basis", default="6-31G*")
    parser.add_argument("species", nargs="*", default=SPECIES, help="SMILES; all if none")
    asked = parser.parse_args()
    odd = 0
    for smiles, (taken, other, gap) in compared(asked.functional, asked.basis, (*asked.species,)):
        remark = HARD.get(smiles, "at odds") if gap < 0 else ""
        odd += gap < 0 and smiles not in HARD
        print(f"{smiles:18} {taken} {other} {gap:8.1f}  {remark}", flush=True)
    return odd


if __name__ == "__main__":
    sys.exit(main())
