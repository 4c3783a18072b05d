"""Spins that are read from notations beside calculations of both states.

``python -m evals.spins`` relaxes the state that is taken and the nearest other one, with PySCF
alone: unrestricted, the instabilities of the solution followed, geomeTRIC from the structure that
Grafico builds. It prints by how much the other state lies higher, and what is at odds.

Single determinants cannot decide some of them, which `HARD` names; the table has measured those.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from rdkit import Chem

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from workflows.molecule import embed
from workflows.molecule.notation import read_smiles
from workflows.molecule.spin import read_spin

SPECIES = (
    "[C]F", "[CH]", "[SiH]", "[GeH]", "[C]Cl", "[Si]F", "[NH+]", "[PH+]", "[N+]F", "[B]F", "[BH]",
    "[AlH]", "[Al]F", "[N]F", "[N]Cl", "[OH+]", "O=O", "S=S", "S=O", "[B][B]", "[Al][Al]",
    "[Si][Si]", "[C][Li]", "[C]=[Si]", "[C]=[C]", "[NH]", "[P]F", "[CH2]", "[SiH2]", "[CH]F",
    "F[C]F", "[NH2+]", "[PH2+]", "F[N+]F", "F[NH+]", "N[N]", "C[N]", "O[N]", "B=B",
    "[C]=[N+]=[N-]", "C=[C]", "C1=C[C]1", "C[C]C", "[CH]C#N", "[C]=C=O", "C[B]", "C[C]", "C[Al]",
    "[CH]OC", "[CH][N+](=O)[O-]",
)  # fmt: skip

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

    mean_field = _stable(_molecule(atoms, multiplicity, basis), xc)
    if len(atoms.numbers) > 1:
        _, molecule = geometric_solver.kernel(mean_field, maxsteps=60)
        mean_field = _stable(molecule, xc)
    return float(mean_field.e_tot)


def _molecule(atoms: ConceptualAtoms, multiplicity: int, basis: str) -> Any:
    from pyscf import gto

    places = list(zip(atoms.symbols, atoms.positions.tolist(), strict=True))
    return gto.M(atom=places, charge=atoms.charge, spin=multiplicity - 1, basis=basis, verbose=0)


def _stable(molecule: Any, xc: str, most: int = 4) -> Any:
    from pyscf import dft, scf

    mean_field: Any = scf.UHF(molecule) if xc == "HF" else dft.UKS(molecule, xc=xc)
    mean_field.max_cycle = 200
    mean_field.kernel()
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
    parser.add_argument("--basis", default="def2-SVP")
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
