"""Gradients beside differences of energies, relaxed geometries and vibrations beside Psi4's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedLevel
from ontologies.factors import BOHR
from ontologies.units import Floats
from tests.dft.structures import HYDROGEN, METHYL, WATER, single
from triplestore.errors import InputError, NotConvergedError
from workflows.correlated import fitted_gradient
from workflows.correlated.calculations import frequencies, optimise
from workflows.correlated.levels import hartree_fock, resolve_level
from workflows.correlated.solving import correlation, reference
from workflows.correlated.surface import CorrelatedSurface
from workflows.dft.scf.meanfield import mean_field, molecule

RADICAL = METHYL.model_copy(update={"multiplicity": 2})
TRIPLET = HYDROGEN.model_copy(update={"multiplicity": 3})


def level(
    method: str, given: ConceptualAtoms, basis: str = "6-31G**", **more: Any
) -> CorrelatedLevel:
    closed = given.multiplicity == 1
    return resolve_level(method, basis, "restricted" if closed else "unrestricted", **more).level


def energy(given: ConceptualAtoms, theory: CorrelatedLevel) -> float:
    mf = reference(given, theory)
    return float(mf.e_tot) + correlation(mf, given, theory).total


def askew(given: ConceptualAtoms, seed: int = 0) -> ConceptualAtoms:
    """Return the atoms where no symmetry hides a mistake."""
    shift = np.random.default_rng(seed).normal(size=given.positions.shape)
    return given.moved_to(given.positions + 0.05 * shift)


@pytest.mark.parametrize("method", ["MP2", "DF-MP2", "CCSD", "CCSD(T)"])
@pytest.mark.parametrize("all_electrons", [False, True], ids=["frozen core", "all electrons"])
@pytest.mark.parametrize(
    "given", [WATER, RADICAL, TRIPLET], ids=["closed", "open", "one spin only"]
)
def test_gradients_are_the_slopes_of_energies(
    method: str, all_electrons: bool, given: ConceptualAtoms
) -> None:
    theory, here = level(method, given, all_electrons=all_electrons), askew(given)
    surface = CorrelatedSurface(here, theory)
    found, gradient = surface.at(here.positions)
    assert found == pytest.approx(energy(here, theory), abs=1e-8)
    assert gradient.sum(0) == pytest.approx(np.zeros(3), abs=5e-7)  # it does not drift
    along: Floats = np.random.default_rng(1).normal(size=gradient.shape)
    step = 2e-3
    sides = [
        energy(here.moved_to(here.positions + side * step * along * BOHR), theory)
        for side in (-2, -1, 1, 2)
    ]
    slope = (sides[0] - 8 * sides[1] + 8 * sides[2] - sides[3]) / (12 * step)
    assert float(np.vdot(gradient, along)) == pytest.approx(slope, abs=3e-6)


@pytest.mark.parametrize("given", [WATER, RADICAL], ids=["closed", "open"])
def test_the_relaxed_dipole_is_the_slope_in_a_field(given: ConceptualAtoms) -> None:
    """Of the energy in a weak electric field, solved anew."""
    theory, here = level("DF-MP2", given), askew(given)
    surface = CorrelatedSurface(here, theory)
    surface.at(here.positions)

    def in_field(strength: float) -> float:
        start = hartree_fock(theory)
        mf: Any = mean_field(molecule(here, start), start)
        core, places = mf.get_hcore(), mf.mol.intor("int1e_r", comp=3)
        nuclei = float(mf.mol.atom_charges() @ mf.mol.atom_coords()[:, 0])
        mf.get_hcore = lambda *_: core + strength * places[0]
        mf.conv_tol, mf.callback = 1e-12, None
        mf.kernel()
        return float(mf.e_tot) + correlation(mf, here, theory).total - strength * nuclei

    slope = (in_field(1e-3) - in_field(-1e-3)) / 2e-3
    assert surface.dipole[0] == pytest.approx(-slope, abs=2e-5)


def test_small_blocks_of_integrals_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    theory = level("DF-MP2", WATER)
    whole = CorrelatedSurface(WATER, theory).at(WATER.positions)[1]
    monkeypatch.setattr(fitted_gradient, "LEAST", 0.0)
    monkeypatch.setattr(fitted_gradient, "SHARE", 0.0)
    assert CorrelatedSurface(WATER, theory).at(WATER.positions)[1] == pytest.approx(whole, abs=1e-9)


def test_water_comes_out_as_published() -> None:
    """MP2/6-31G* (six d functions, all electrons): 0.969 Å and 104.0°.

    W. J. Hehre, L. Radom, P. v. R. Schleyer, J. A. Pople, Ab Initio Molecular Orbital Theory
    (1986), ch. 6; of memory, and in NIST's CCCBDB.
    """
    theory = level("MP2", WATER, "6-31G*", all_electrons=True, cartesian=True)
    found = optimise(WATER, theory)
    oxygen, one, other = found.atoms.positions
    lengths = [np.linalg.norm(one - oxygen), np.linalg.norm(other - oxygen)]
    cosine = (one - oxygen) @ (other - oxygen) / np.prod(lengths)
    assert lengths == pytest.approx([0.969, 0.969], abs=1e-3)
    assert np.degrees(np.arccos(cosine)) == pytest.approx(104.0, abs=0.15)
    assert found.energy == pytest.approx(found.reference_energy + found.correlation_energy)
    assert found.energy == pytest.approx(found.energies[-1], abs=1e-8)


def test_coupled_cluster_comes_out_as_by_another_program() -> None:
    """Psi4's curve of HF by CCSD(T)/cc-pVDZ with a frozen core: 0.91988 Å and 4150 cm⁻¹."""
    given = ConceptualAtoms(numbers=[9, 1], positions=[[0, 0, 0], [0, 0, 0.95]])
    theory = level("CCSD(T)", given, "cc-pVDZ")
    found = optimise(given, theory, convergence="tight")
    length = np.linalg.norm(found.atoms.positions[1] - found.atoms.positions[0])
    assert length == pytest.approx(0.91988, abs=2e-4)
    assert found.triples_energy is not None
    assert found.triples_energy < 0
    analysis = frequencies(found.atoms, theory)
    assert analysis.wavenumbers == pytest.approx([4150], abs=5)
    assert analysis.infrared is None


def test_fitting_changes_geometry_and_vibrations_little() -> None:
    exact, fitted = (level(method, WATER, "6-31G*") for method in ("MP2", "DF-MP2"))
    there = optimise(WATER, fitted, convergence="tight")
    assert optimise(WATER, exact, convergence="tight").atoms.positions == pytest.approx(
        there.atoms.positions, abs=1e-3
    )
    of_exact, of_fitted = (frequencies(there.atoms, one) for one in (exact, fitted))
    assert of_fitted.wavenumbers == pytest.approx(of_exact.wavenumbers, abs=2.0)
    assert of_exact.infrared is None
    assert of_fitted.infrared is not None
    assert of_fitted.infrared.argmax() == 0  # the bend
    assert of_fitted.stationarity == "minimum"
    assert "differences of gradients" in of_fitted.remarks[-1]


@pytest.mark.parametrize("method", ["MP2", "DF-MP2"])
def test_a_single_atom_is_where_it_is(method: str) -> None:
    theory = level(method, single(10))
    found = optimise(single(10), theory)
    assert (found.steps, found.max_gradient) == (0, 0.0)
    assert found.correlation_energy < -0.1
    assert not len(frequencies(single(10), theory).wavenumbers)


def test_too_few_steps_are_no_result_and_constraints_hold() -> None:
    theory = level("DF-MP2", WATER, "6-31G*")
    with pytest.raises(NotConvergedError, match="allow more steps"):
        optimise(askew(WATER), theory, 1)
    with pytest.raises(InputError, match="there must be one"):
        optimise(WATER, theory, 0)
