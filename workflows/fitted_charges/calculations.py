"""Charges of atoms from the electrostatic potential around a molecule."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity
from ontologies.factors import DEBYE
from ontologies.fitted_charges import FittedCharges
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from workflows.dft.level.fitting import revision
from workflows.dft.level.resolving import PYSCF
from workflows.dft.properties.potential import of_electrons
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import converge, electronic
from workflows.engine import calculation, context
from workflows.text.words import numbered

from .fit import equations, free, leeway, restrained
from .shells import shells

LOOSE = 0.1
"""e. A charge that may change by more is said to be hardly determined."""


@calculation("fitted_charges.fit", version="1", backend=PYSCF, revision=revision, gpu=False)
def fit(atoms: ConceptualAtoms, level: LevelOfTheory) -> FittedCharges:
    """Fit charges of the atoms to the electrostatic potential around them at a fixed geometry.

    Where core potentials stand for electrons, the charges of nuclei are less those. In a continuum
    the density is that of the solvated molecule, and its potential alone is fitted.

    Raises:
        InputError: the basis set lacks an element, or the structure is periodic.
        NotConvergedError: the SCF or the restrained equations did not converge.

    Sources: see `shells` and `fit`.
    """
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    context().report("potential", energy=float(mf.e_tot))
    mol = mf.mol
    around, places = shells(atoms.numbers, mol.atom_coords()), mol.atom_coords()
    field = 1 / np.linalg.norm(around.places[:, None] - places, axis=2)
    potential = field @ mol.atom_charges() - of_electrons(mf, around.places)
    found = equations(field, potential, around.areas, float(atoms.charge))
    shares = around.areas / around.areas.sum()

    def mean_square(charges: Floats) -> float:
        return float(shares @ (potential - field @ charges) ** 2)

    charges = free(found)
    held = restrained(found, atoms.numbers != 1, groups(atoms))
    left = mean_square(charges)
    normed = equations(field, potential, shares, float(atoms.charge))
    masses = mol.atom_mass_list(isotope_avg=True)
    arms = (places - masses @ places / masses.sum()) * DEBYE
    base = electronic(mf)
    slack = leeway(normed, left)
    remarks = (*base.pop("remarks"), *_remarks(atoms, level, slack))
    return FittedCharges(
        atoms=atoms,
        level=level,
        esp_charges=charges,
        resp_charges=held,
        esp_leeway=slack,
        esp_points=len(potential),
        esp_potential=float(np.sqrt(mean_square(np.zeros_like(charges)))),
        esp_residual=float(np.sqrt(left)),
        resp_residual=float(np.sqrt(mean_square(held))),
        esp_dipole=charges @ arms,
        resp_dipole=held @ arms,
        remarks=tuple(dict.fromkeys(remarks)),
        **base,
    )


def groups(atoms: ConceptualAtoms) -> list[tuple[int, list[int]]]:
    """Return the methyl and methylene groups: each carbon atom, and its hydrogen atoms."""
    if len(atoms.numbers) < 2:
        return []
    bonds, found = connectivity(atoms), list[tuple[int, list[int]]]()
    for index in np.flatnonzero(atoms.numbers == 6).tolist():
        beside = bonds.neighbours(index)
        hydrogens = [one for one in beside if atoms.numbers[one] == 1]
        if len(beside) == 4 and len(hydrogens) >= 2:
            found.append((index, hydrogens))
    return found


def _remarks(atoms: ConceptualAtoms, level: LevelOfTheory, slack: Floats) -> Iterator[str]:
    """Iterate over what a reader must know of the charges."""
    names = numbered(atoms.symbols)
    loose = [f"{names[n]} ±{slack[n]:.2f}" for n in np.argsort(-slack) if slack[n] > LOOSE]
    if loose:
        more = f" and {len(loose) - 6} more" if len(loose) > 6 else ""
        yield (
            f"the potential hardly determines some ESP charges ({', '.join(loose[:6])}{more} e): "
            "they may change by so much, the others following, and what is left of the potential "
            "grows by a tenth; RESP holds them small"
        )
    if level.solvation:
        yield (
            "the charges are those of the molecule as the continuum polarises it, for which force "
            "fields that polarise themselves, or are made for the gas phase, are not meant"
        )
    if not (level.method == "HF" and level.basis == "6-31G*" and not level.solvation):
        yield "force fields of the AMBER family take RESP charges at HF/6-31G* in the gas phase"
