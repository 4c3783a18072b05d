"""The limit of a complete basis set: beside Molpro's and Psi4's, and what there is none of."""

from __future__ import annotations

import math
from typing import Any

import pytest

from evals.validation.psi4 import CorrelatedJob
from grafico import Grafico
from ontologies.correlated import BasisExtrapolation, CorrelatedEnergy
from tests.conftest import Need
from tests.dft.structures import HYDROGEN, METHYL, WATER
from triplestore.errors import InputError
from workflows.correlated.energy import single_point
from workflows.correlated.extrapolation import (
    correlation_limit,
    extrapolation_of,
    pair_name,
    reference_limit,
)
from workflows.correlated.levels import resolve_level
from workflows.show.blocks import Table
from workflows.show.object_blocks import blocks_of

RADICAL = METHYL.model_copy(update={"multiplicity": 2})


def level(method: str, basis: str, closed: bool = True, **more: Any) -> Any:
    return resolve_level(method, basis, "restricted" if closed else "unrestricted", **more).level


@pytest.mark.parametrize(
    ("spelt", "usual", "bases"),
    [
        ("cc-pV[DT]Z", "cc-pV[DT]Z", ("cc-pVDZ", "cc-pVTZ")),
        ("aug-cc-pv[tq]z", "aug-cc-pV[TQ]Z", ("aug-cc-pVTZ", "aug-cc-pVQZ")),
        ("CBS(cc-pVTZ,cc-pVQZ)", "cc-pV[TQ]Z", ("cc-pVTZ", "cc-pVQZ")),
        ("cbs( cc-pvdz / cc-pvtz )", "cc-pV[DT]Z", ("cc-pVDZ", "cc-pVTZ")),
        ("cc-pV[T,Q]Z", "cc-pV[TQ]Z", ("cc-pVTZ", "cc-pVQZ")),
        ("def2-[SVP,TZVPP]", "def2-[SVP,TZVPP]", ("def2-SVP", "def2-TZVPP")),
        ("def2-[tzvp, qzvp]", "def2-[TZVP,QZVP]", ("def2-TZVP", "def2-QZVP")),
        ("cc-pCV[TQ]Z", "cc-pCV[TQ]Z", ("cc-pCVTZ", "cc-pCVQZ")),
    ],
)
def test_pairs_are_read(spelt: str, usual: str, bases: tuple[str, str]) -> None:
    how = extrapolation_of(spelt)
    assert (how.smaller_basis, how.larger_basis) == bases
    assert how.larger_cardinal == how.smaller_cardinal + 1
    assert pair_name(how) == usual
    theory = level("CCSD(T)", spelt)
    assert theory.label == f"CCSD(T)/{usual} (frozen core)"
    assert theory.extrapolation == how


@pytest.mark.parametrize(
    ("spelt", "words"),
    [
        ("cc-pV[DQ]Z", "not the next larger"),
        ("cc-pV[TD]Z", "not the next larger"),
        ("cc-pV[DTQ]Z", "no more and no fewer"),
        ("cc-pV[]Z", "no more and no fewer"),
        ("cc-pV[DT", "brackets hold two"),
        ("6-31[G,G*]", "how they converge"),
        ("def2-[SVP,QZVP]", "not the next larger"),
        ("cc-pV[XY]Z", "none of that name"),
        ("[cc-pVDZ,def2-TZVP]", "not the next larger"),
    ],
)
def test_pairs_that_there_are_not(spelt: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        resolve_level("MP2", spelt, "restricted")


def test_molpro_has_the_same_limit_of_correlation() -> None:
    """Water, CCSD(T)/aug-cc-pV[Q5]Z: the table of Molpro's manual, Basis set extrapolation."""
    how = extrapolation_of("aug-cc-pV[Q5]Z")
    assert correlation_limit(how, -0.29758099, -0.30297495) == pytest.approx(-0.30863418, abs=2e-8)


def test_the_formulas_find_the_limit_of_what_follows_them() -> None:
    for spelt in ("cc-pV[DT]Z", "def2-[SVP,TZVPP]", "def2-[TZVPP,QZVPP]"):
        how = extrapolation_of(spelt)
        pair = (how.smaller_cardinal, how.larger_cardinal)
        alone = [-76.0 + 3.0 * math.exp(-how.reference_exponent * math.sqrt(x)) for x in pair]
        beside = [-0.3 + 0.4 * x**-how.correlation_exponent for x in pair]
        assert reference_limit(how, *alone) == pytest.approx(-76.0, abs=1e-10)
        assert correlation_limit(how, *beside) == pytest.approx(-0.3, abs=1e-12)
    assert extrapolation_of("def2-[SVP,TZVPP]").correlation_exponent == 2.4
    assert BasisExtrapolation.model_fields["correlation_exponent"].default == 3.0


@pytest.mark.parametrize("given", [HYDROGEN, RADICAL], ids=["closed", "open"])
def test_psi4_finds_the_same_limit(given: Any, need: Need) -> None:
    need("psi4")
    found = single_point(given, level("MP2", "cc-pV[DT]Z", given is HYDROGEN))
    theirs = CorrelatedJob(given, "mp2", "cc-pV[DT]Z").run()
    small, large = (one.reference_energy for one in found.basis_set_energies)
    alone = large - (small - large) / (math.exp(1.63) - 1)  # Psi4's exponential
    assert alone + found.correlation_energy == pytest.approx(theirs["energy"], abs=2e-7)
    assert found.reference_energy == pytest.approx(alone, abs=5e-3)


def test_its_parts_are_stored_and_shown(session: Grafico) -> None:
    done = session.run(HYDROGEN, method="CCSD(T)", basis="cc-pV[DT]Z")
    found = done.last
    assert isinstance(found, CorrelatedEnergy)
    small, large = found.basis_set_energies
    assert (small.basis, small.cardinal_number) == ("cc-pVDZ", 2)
    assert (large.basis, large.cardinal_number) == ("cc-pVTZ", 3)
    one = session.run(HYDROGEN, method="CCSD(T)", basis="cc-pVTZ").last
    assert isinstance(one, CorrelatedEnergy)
    assert large.correlation_energy == pytest.approx(one.correlation_energy, abs=1e-9)
    assert large.reference_energy == pytest.approx(one.reference_energy, abs=1e-9)
    assert found.correlation_energy < large.correlation_energy < small.correlation_energy
    assert found.energy == pytest.approx(found.reference_energy + found.correlation_energy)
    tables = {block.name: block for block in blocks_of(found).blocks if isinstance(block, Table)}
    assert [row[0] for row in tables["basis_sets"].rows] == ["cc-pVDZ", "cc-pVTZ"]
    assert "6.3√X" in tables["basis_sets"].note
    assert any("extrapolated from cc-pVDZ and cc-pVTZ" in remark for remark in done.remarks)
    assert session.run(HYDROGEN, method="ccsd(t)", basis="cc-pv[dt]z").reused
    # the exact energy at 1.4 bohr: W. Kolos, L. Wolniewicz, J. Chem. Phys. 49, 404 (1968)
    assert abs(found.energy + 1.174475) < abs(one.energy + 1.174475)
    assert found.energy == pytest.approx(-1.174475, abs=1e-3)


def test_hartree_fock_comes_near_its_limit() -> None:
    """Of H2 at 1.4 bohr: W. Kołos, C. C. J. Roothaan, Rev. Mod. Phys. 32, 219 (1960)."""
    found = single_point(HYDROGEN, level("MP2", "cc-pV[TQ]Z"))
    larger = found.basis_set_energies[1].reference_energy
    assert found.reference_energy == pytest.approx(-1.13363, abs=8e-5)
    assert abs(found.reference_energy + 1.13363) < abs(larger + 1.13363)


def test_geometries_have_one_basis_set(session: Grafico) -> None:
    with pytest.raises(InputError, match="has energies only"):
        session.run("water", method="MP2", basis="cc-pV[DT]Z", task="optimise")
    with pytest.raises(InputError, match="none of that name"):
        session.run("water", method="HF", basis="cc-pV[DT]Z")


def test_fitting_follows_each_basis_set() -> None:
    found = single_point(WATER, level("DF-MP2", "def2-[SVP,TZVP]"))
    exact = single_point(WATER, level("MP2", "def2-[SVP,TZVP]"))
    assert found.energy == pytest.approx(exact.energy, abs=5e-4)
    sums = (found.same_spin_energy or 0) + (found.opposite_spin_energy or 0)
    assert sums == pytest.approx(found.correlation_energy, abs=1e-10)
