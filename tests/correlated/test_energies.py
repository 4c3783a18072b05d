"""Correlated energies: beside Psi4 and NWChem, by their limits, and where there is nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evals.validation.psi4 import CorrelatedJob
from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedEnergy, CorrelatedLevel
from tests.conftest import Need
from tests.dft.structures import HYDROGEN, METHYL, WATER, atoms, single
from triplestore.errors import InputError, NotConvergedError
from workflows.correlated import solving
from workflows.correlated.energy import single_point
from workflows.correlated.levels import resolve_level
from workflows.dft.level.resolving import resolve_level as hartree_fock_level
from workflows.dft.properties.energy import single_point as hartree_fock_point

RADICAL = METHYL.model_copy(update={"multiplicity": 2})
NWCHEM_WATER = atoms(
    [8, 1, 1],
    [
        [0, 0, -0.065638538099],
        [0, -0.757480611647, 0.520865616174],
        [0, 0.757480611647, 0.520865616174],
    ],
)


def level(
    method: str, given: ConceptualAtoms, basis: str = "cc-pVDZ", **more: Any
) -> CorrelatedLevel:
    closed = given.multiplicity == 1
    return resolve_level(method, basis, "restricted" if closed else "unrestricted", **more).level


def point(
    method: str, given: ConceptualAtoms, basis: str = "cc-pVDZ", **more: Any
) -> CorrelatedEnergy:
    return single_point(given, level(method, given, basis, **more))


@pytest.mark.parametrize("given", [WATER, RADICAL], ids=["closed", "open"])
def test_psi4_finds_the_same_perturbation_theory(given: ConceptualAtoms, need: Need) -> None:
    need("psi4")
    theirs, ours = CorrelatedJob(given, "mp2", "cc-pvdz").run(), point("MP2", given)
    assert ours.energy == pytest.approx(theirs["energy"], abs=1e-7)
    assert ours.reference_energy == pytest.approx(theirs["reference"], abs=1e-8)
    assert ours.same_spin_energy == pytest.approx(theirs["same"], abs=1e-7)
    assert ours.opposite_spin_energy == pytest.approx(theirs["opposite"], abs=1e-7)
    assert (ours.frozen_orbitals, ours.triples_energy, ours.t1_diagnostic) == (1, None, None)


@pytest.mark.parametrize("given", [WATER, RADICAL], ids=["closed", "open"])
def test_psi4_finds_the_same_fitted_perturbation_theory(given: ConceptualAtoms, need: Need) -> None:
    need("psi4")
    theirs = CorrelatedJob(given, "mp2", "cc-pvdz", fitted="cc-pvdz-ri").run()
    ours = point("DF-MP2", given)
    assert ours.energy == pytest.approx(theirs["energy"], abs=1e-7)
    exact = point("MP2", given)
    assert 1e-6 < abs(ours.energy - exact.energy) < 1e-4  # fitted, and not by much


@pytest.mark.parametrize("given", [WATER, RADICAL], ids=["closed", "open"])
def test_psi4_finds_the_same_coupled_cluster(given: ConceptualAtoms, need: Need) -> None:
    need("psi4")
    theirs, ours = CorrelatedJob(given, "ccsd(t)", "cc-pvdz").run(), point("CCSD(T)", given)
    doubles = point("CCSD", given)
    assert ours.energy == pytest.approx(theirs["energy"], abs=2e-7)
    assert doubles.correlation_energy == pytest.approx(theirs["ccsd"], abs=2e-7)
    assert ours.triples_energy == pytest.approx(theirs["triples"], abs=1e-7)
    assert doubles.triples_energy is None
    assert ours.correlated_electrons == 2 * 4 - (given is RADICAL)


def test_nwchem_found_the_same_with_all_electrons() -> None:
    """Values of NWChem's tensor contraction engine, in the tests of QCDB (tests/nwchem_tests)."""
    coupled = point("CCSD(T)", NWCHEM_WATER, all_electrons=True)
    assert coupled.reference_energy == pytest.approx(-76.026760737428, abs=1e-8)
    assert coupled.correlation_energy - (coupled.triples_energy or 0) == pytest.approx(
        -0.213341272556805, abs=1e-7
    )
    assert coupled.triples_energy == pytest.approx(-0.003059541972533, abs=1e-7)
    second = point("MP2", NWCHEM_WATER, all_electrons=True)
    assert second.correlation_energy == pytest.approx(-0.204016996303923, abs=1e-8)
    assert (coupled.frozen_orbitals, coupled.correlated_electrons) == (0, 10)


def test_singles_and_doubles_are_exact_for_two_electrons() -> None:
    """Beside the full configuration interaction."""
    from pyscf import fci, gto, scf

    mol = gto.M(atom=f"H 0 0 0; H 0 0 {HYDROGEN.positions[1, 2]}", basis="6-31g**", verbose=0)
    exact = fci.FCI(scf.RHF(mol).run(conv_tol=1e-12)).kernel()[0]
    ours = point("CCSD(T)", HYDROGEN, "6-31G**")
    assert ours.energy == pytest.approx(exact, abs=1e-7)
    assert ours.triples_energy == pytest.approx(0, abs=1e-10)


def test_open_shells_of_a_closed_one_give_the_same() -> None:
    """T1 as well: the two kinds count amplitudes differently."""
    apart = resolve_level("CCSD(T)", "cc-pVDZ", "unrestricted").level
    closed, unrestricted = point("CCSD(T)", WATER), single_point(WATER, apart)
    assert unrestricted.energy == pytest.approx(closed.energy, abs=1e-7)
    assert unrestricted.t1_diagnostic == pytest.approx(closed.t1_diagnostic, abs=1e-6)


@pytest.mark.parametrize("method", ["MP2", "DF-MP2", "CCSD", "CCSD(T)"])
def test_two_molecules_far_apart_have_twice_the_energy(method: str) -> None:
    """Size consistency; configuration interaction of singles and doubles would not have it."""
    away = HYDROGEN.positions + np.array([0, 500.0, 0])
    pair = atoms([1, 1, 1, 1], np.vstack([HYDROGEN.positions, away]).tolist())
    one, both = point(method, HYDROGEN), point(method, pair)
    assert both.correlation_energy == pytest.approx(2 * one.correlation_energy, abs=1e-6)


@pytest.mark.parametrize("method", ["MP2", "DF-MP2", "CCSD", "CCSD(T)"])
@pytest.mark.parametrize(
    ("given", "basis"),
    [
        (single(1, multiplicity=2), "cc-pVDZ"),
        (single(5, charge=2, multiplicity=2), "cc-pVDZ"),
        (single(5, charge=3), "cc-pVDZ"),
        (single(2), "STO-3G"),
    ],
    ids=["one electron", "one beside its core", "a core alone", "no empty orbital"],
)
def test_what_has_no_pairs_has_no_correlation(
    method: str, given: ConceptualAtoms, basis: str
) -> None:
    found = point(method, given, basis)
    closed = given.multiplicity == 1
    alone = hartree_fock_level("HF", basis, "restricted" if closed else "unrestricted").level
    assert found.correlation_energy == 0
    assert found.energy == pytest.approx(hartree_fock_point(given, alone).energy, abs=1e-8)
    core = given.numbers[0] == 5
    assert any("frozen core leaves" in remark for remark in found.remarks) == core


@pytest.mark.parametrize(
    ("symbol", "number", "frozen"),
    [("Be", 4, 0), ("Ne", 10, 1), ("Mg", 12, 1), ("Ar", 18, 5), ("Kr", 36, 9), ("I-", 53, 4)],
)
def test_the_core_that_is_frozen(symbol: str, number: int, frozen: int) -> None:
    """The 28 electrons that def2's potential stands for belong to it already."""
    from workflows.correlated.levels import hartree_fock
    from workflows.dft.scf.meanfield import molecule

    given = single(number, charge=-1 if symbol == "I-" else 0)
    theory = level("MP2", given, "def2-SVP")
    assert solving.frozen_orbitals(molecule(given, hartree_fock(theory)), theory) == frozen


def test_a_poor_reference_is_said() -> None:
    """Ozone is the textbook case: T. J. Lee, P. R. Taylor have 0.028 with DZP."""
    ozone = atoms([8, 8, 8], [[0, 0, 0], [1.0886, 0.6697, 0], [-1.0886, 0.6697, 0]])
    found = point("CCSD", ozone, "def2-SVP")
    assert found.t1_diagnostic == pytest.approx(0.027, abs=0.003)
    assert any("T1 diagnostic" in remark for remark in found.remarks)
    assert not any("T1" in remark for remark in point("CCSD", WATER).remarks)


def test_amplitudes_that_do_not_converge_are_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "MAX_CYCLES", 2)
    with pytest.raises(NotConvergedError, match="amplitudes did not converge in 2 cycles"):
        point("CCSD", WATER)


def test_an_element_without_fitting_functions_is_refused() -> None:
    with pytest.raises(InputError, match=r"has no functions for Ca|no functions are known"):
        point("DF-MP2", single(20), "cc-pVDZ")


def test_a_turned_copy_has_the_same_energy() -> None:
    angle = 0.7
    turn = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]]
    )
    turned = WATER.moved_to(WATER.positions @ turn.T + [1.0, 2.0, 3.0])
    assert point("MP2", turned).energy == pytest.approx(point("MP2", WATER).energy, abs=1e-9)
