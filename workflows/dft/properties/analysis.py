"""Everything about a molecule that one converged SCF gives."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from ontologies.wavefunction import WavefunctionAnalysis
from workflows.engine import calculation
from workflows.geometry.rotation import rotational_constants
from workflows.geometry.symmetry import SYMMETRY_TOLERANCE, point_group

from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..scf.meanfield import mean_field, molecule
from ..scf.scf import SPINS, converge, electronic
from . import populations


@calculation("dft.analysis", version="2", backend=PYSCF, revision=revision, title="analysis")
def analyse(atoms: ConceptualAtoms, level: LevelOfTheory) -> WavefunctionAnalysis:
    """Analyse the wavefunction at a fixed geometry.

    Raises:
        InputError: the basis set lacks an element.
        NotConvergedError: the SCF did not converge.
    """
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    mol, overlap = mf.mol, np.asarray(mf.get_ovlp())
    density = populations.spin_densities(mf)
    open_shell = mol.nelec[0] != mol.nelec[1] or level.reference == "unrestricted"
    spins = populations.mulliken_spins(mol, density, overlap) if open_shell else None
    base = electronic(mf)
    return WavefunctionAnalysis(
        atoms=atoms,
        level=level,
        **base,
        **_energy_parts(mf, density, base),
        **_orbitals(mf),
        quadrupole=_quadrupole(mf),
        lowdin_charges=populations.lowdin_charges(mol, density, overlap),
        iao_charges=populations.iao_charges(mf),
        hirshfeld_charges=populations.hirshfeld_charges(mol, density),
        bond_orders=populations.mayer_bond_orders(mol, density, overlap),
        wiberg_bond_orders=populations.wiberg_bond_orders(mol, density, overlap),
        spin_densities=spins,
        point_group=point_group(atoms),
        symmetry_tolerance=SYMMETRY_TOLERANCE,
        rotational_constants=rotational_constants(atoms),
    )


def _energy_parts(mf: Any, density: Floats, base: Mapping[str, Any]) -> dict[str, float]:
    """Return the parts of the energy; exchange and correlation are what the others leave."""
    total = density.sum(axis=0)
    one = float(np.einsum("ij,ji->", np.asarray(mf.get_hcore()), total))
    coulomb = float(np.einsum("ij,ji->", np.asarray(mf.get_j(dm=total)), total)) / 2
    nuclear = float(mf.energy_nuc())
    beside = (base.get("dispersion_energy") or 0.0) + (base.get("solvation_energy") or 0.0)
    return {
        "nuclear_repulsion": nuclear,
        "one_electron_energy": one,
        "coulomb_energy": coulomb,
        "exchange_correlation_energy": float(mf.e_tot) - nuclear - one - coulomb - beside,
    }


def _orbitals(mf: Any) -> dict[str, Any]:
    """Return orbital energies and occupations, and the frontier orbitals of each spin."""
    energies, occupations = np.asarray(mf.mo_energy), np.asarray(mf.mo_occ)
    if occupations.ndim == 2:
        alpha, beta = (_frontier(energies[spin], occupations[spin] > 0) for spin in (0, 1))
        orbitals: dict[str, Any] = {
            "orbital_energies": energies[0],
            "occupations": occupations[0],
            "orbital_energies_beta": energies[1],
            "occupations_beta": occupations[1],
        }
    else:
        # where open shells share orbitals, each spin has energies of its own for them
        spins = [np.asarray(getattr(mf.mo_energy, name, energies)) for name in SPINS]
        alpha, beta = (_frontier(spins[least], occupations > least) for least in (0, 1))
        orbitals = {"orbital_energies": energies, "occupations": occupations}
    gaps = [low - high for high, low in (alpha, beta) if high is not None and low is not None]
    return {
        **orbitals,
        "homo_alpha": alpha[0],
        "lumo_alpha": alpha[1],
        "homo_beta": beta[0],
        "lumo_beta": beta[1],
        "gap": min(gaps, default=None),
    }


def _frontier(energies: Floats, occupied: Any) -> tuple[float | None, float | None]:
    below, above = energies[occupied], energies[~occupied]
    return (
        float(below.max()) if below.size else None,
        float(above.min()) if above.size else None,
    )


def _quadrupole(mf: Any) -> Floats:
    """Return the traceless quadrupole moment about the centre of mass, in D·Å, shape (3, 3)."""
    masses = mf.mol.atom_mass_list(isotope_avg=True)
    centre = masses @ mf.mol.atom_coords() / masses.sum()
    return np.asarray(mf.quad_moment(unit="DebyeAngstrom", origin=centre, verbose=0))
