"""Geometries that a force field has badly, relaxed with GFN2-xTB.

MMFF94 as RDKit has it makes the bond of N2 1.460 Å (measured: 1.098) and those of CO2 1.405 Å
(1.160), and says that it has all parameters; UFF knows no resonance, and coordination polyhedra are
built with typical lengths.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false, reportMissingImports=false

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats

from .polyhedra import is_metal

if TYPE_CHECKING:
    from rdkit.Chem import Mol

logger = logging.getLogger(__name__)

MOST_ATOMS = 24
"""Larger molecules take more than a moment, and have few bonds that force fields do not know."""

STEEP = 0.06
"""Eh/bohr: the largest gradient of an atom at which a geometry is taken as it is. Of the 491
molecules of the table with up to 30 atoms 46 lie above it, with all whose bonds miss by 0.2 Å."""

LONG = 0.12
"""Å by which a multiple bond may be longer than RDKit's bounds have it."""

CALM = 0.01
"""eV/Å at which it ends."""

ROUGHLY = 0.03
"""eV/Å at which arrangements are compared."""

STEPS = 200
DECIMALS = 4
"""Å to which positions are rounded, so that what machines compute differently is hardly seen."""

BETTER = "then GFN2-xTB"
NO_BETTER = "GFN2-xTB finds no better geometry with these bonds"


def is_far_off(mol: Mol, positions: Floats, how: str) -> bool:
    """Tell whether a multiple bond is far too long, or molecules stand beside each other by MMFF94.

    That field turns a hydrogen bond of water aside, and a binding energy at its geometry is a third
    too small. It costs no more than a look.

    Args:
        mol: with all hydrogens.
        positions: in Å, shape (atoms, 3).
        how: what is said of how it was made.
    """
    from rdkit import rdBase
    from rdkit.Chem import rdDistGeom

    if not 2 <= mol.GetNumAtoms() <= MOST_ATOMS or BETTER in how or NO_BETTER in how:
        return False
    if "beside each other, relaxed together" in how:
        return True
    with rdBase.BlockLogs():
        bounds = rdDistGeom.GetMoleculeBoundsMatrix(mol)
    for bond in mol.GetBonds():
        one, two = sorted((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()))
        usual = (bounds[one, two] + bounds[two, one]) / 2
        length = float(np.linalg.norm(positions[one] - positions[two]))
        if bond.GetBondTypeAsDouble() > 1 and length > usual + LONG:
            return True
    return False


def is_rough(mol: Mol, how: str) -> bool:
    """Tell whether a geometry is never taken as it is: by UFF, or of a metal built as a polyhedron.

    Polyhedra of other elements are built with measured bond lengths.
    """
    if "built with" in how:
        return any(is_metal(atom.GetAtomicNum()) for atom in mol.GetAtoms())
    return "UFF" in how or "no force field" in how


def settled(atoms: ConceptualAtoms, starts: Sequence[Floats]) -> list[Floats]:
    """Return geometries in Å after each has been relaxed a little, the lowest first.

    Args:
        atoms: of which they are, and one of them.
        starts: the others, shape (atoms, 3).
    """
    from ase import Atoms
    from ase.optimize import BFGS
    from tblite.ase import TBLite

    found: list[tuple[float, Floats]] = []
    for start in (atoms.positions, *starts):
        molecule = Atoms(atoms.numbers, start)
        molecule.calc = TBLite(
            method="GFN2-xTB", charge=atoms.charge, multiplicity=atoms.multiplicity, verbosity=0
        )
        try:
            with BFGS(molecule, logfile=None) as search:
                search.run(fmax=ROUGHLY, steps=STEPS)
            found.append((float(molecule.get_potential_energy()), np.array(molecule.positions)))
        except Exception as error:  # of an SCF that does not converge, and whatever else it may say
            logger.info("an arrangement of %s is left out: %s", atoms.formula, error)
    return [positions for _, positions in sorted(found, key=lambda one: round(one[0], 3))]


def polished(atoms: ConceptualAtoms, far_off: bool) -> tuple[Floats | None, str]:
    """Return better coordinates in Å, if any, and what is to be said of that.

    Args:
        atoms: as they were built.
        far_off: whether they need it; else that is found out by their gradient.

    Source: C. Bannwarth, S. Ehlert, S. Grimme, J. Chem. Theory Comput. 15, 1652 (2019).
    """
    if not 2 <= len(atoms.numbers) <= MOST_ATOMS:
        return None, ""
    from ase import Atoms
    from ase.optimize import BFGS
    from tblite.ase import TBLite

    from ontologies.factors import BOHR, HARTREE

    molecule = Atoms(atoms.numbers, atoms.positions)
    molecule.calc = TBLite(
        method="GFN2-xTB", charge=atoms.charge, multiplicity=atoms.multiplicity, verbosity=0
    )
    try:
        unit = HARTREE["eV"] / BOHR  # of Eh/bohr in eV/Å
        steepest = float(np.linalg.norm(molecule.get_forces(), axis=1).max()) / unit
        if steepest < STEEP and not far_off:
            return None, ""
        with BFGS(molecule, logfile=None) as search:
            done = bool(search.run(fmax=CALM, steps=STEPS))
    except Exception as error:  # of an SCF that does not converge, and whatever else it may say
        logger.info("%s is taken as it was built: %s", atoms.formula, error)
        return None, NO_BETTER if far_off else ""
    positions = np.array(molecule.positions)
    if not (done and np.isfinite(positions).all()):
        return None, NO_BETTER
    return positions.round(DECIMALS), BETTER
