"""Dipoles from energies in fields: beside Psi4, the relaxed density, and published ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evals.validation.psi4 import input_of, run
from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedDipole, CorrelatedLevel
from ontologies.factors import DEBYE
from tests.conftest import Need
from tests.dft.structures import CARBON_DIOXIDE, HYDROGEN, METHYL, WATER, atoms, rotated, single
from workflows.correlated.dipole import FIELD, dipole
from workflows.correlated.energy import single_point
from workflows.correlated.levels import resolve_level
from workflows.correlated.surface import CorrelatedSurface
from workflows.geometry.dipoles import dipole_facts, linear_ends

MONOXIDE = atoms([6, 8], [[0, 0, 0], [0, 0, 1.1283]])
RADICAL = METHYL.model_copy(update={"multiplicity": 2})
HYDROXYL = atoms([8, 1], [[0, 0, 0], [0, 0, 0.9697]], multiplicity=2)


def level(
    method: str, given: ConceptualAtoms, basis: str = "6-31G", **more: Any
) -> CorrelatedLevel:
    closed = given.multiplicity == 1
    return resolve_level(method, basis, "restricted" if closed else "unrestricted", **more).level


def askew(given: ConceptualAtoms) -> ConceptualAtoms:
    """Return the atoms where no symmetry hides a mistake, somewhere else."""
    shift = np.random.default_rng(3).normal(size=given.positions.shape)
    return given.moved_to(given.positions + 0.05 * shift + [1.0, -2.0, 0.5])


@pytest.mark.parametrize("given", [WATER, RADICAL], ids=["closed", "open"])
def test_it_is_that_of_the_relaxed_density(given: ConceptualAtoms) -> None:
    """Which the analytic gradient of DF-MP2 has."""
    here, theory = askew(given), level("DF-MP2", given, "6-31G**")
    found = dipole(here, theory)
    surface = CorrelatedSurface(here, theory)
    surface.at(here.positions)
    assert found.dipole == pytest.approx(surface.dipole * DEBYE, abs=1e-4)
    assert found.dipole_error < 1e-4
    assert found.dipole_moment == pytest.approx(np.linalg.norm(found.dipole))
    assert found.energy == pytest.approx(single_point(here, theory).energy, abs=1e-9)


FIELDS = """\
found = dict(slopes=[])
psi4.set_options(dict(perturb_h=True, perturb_with="dipole"))
for axis in (2,):
    sides = []
    for size in (0.001, -0.001):
        psi4.set_options(dict(perturb_dipole=[size * (axis == n) for n in range(3)]))
        sides.append(psi4.energy({method!r}, molecule=mol))
    found["slopes"].append((sides[0] - sides[1]) / 0.002)
"""


@pytest.mark.parametrize(
    ("given", "method"),
    [(MONOXIDE, "MP2"), (MONOXIDE, "CCSD"), (MONOXIDE, "CCSD(T)"), (HYDROXYL, "CCSD")],
    ids=["MP2", "CCSD", "CCSD(T)", "open CCSD"],
)
def test_psi4_finds_the_same_in_fields(given: ConceptualAtoms, method: str, need: Need) -> None:
    """Along the axis, on which Psi4's molecule stands in its centre of mass."""
    need("psi4")
    options = {
        "basis": "cc-pVDZ", "puream": True, "scf_type": "pk", "freeze_core": True,
        "reference": "rhf" if given.multiplicity == 1 else "uhf", "cc_type": "conv",
        "mp2_type": "conv", "e_convergence": 1e-11, "d_convergence": 1e-10, "r_convergence": 1e-9,
    }  # fmt: skip
    body = FIELDS.format(method=method.lower())
    theirs = run(input_of(given, options, body))
    found = dipole(given, level(method, given, "cc-pVDZ"))
    assert found.field_strength == FIELD
    # Psi4 adds the field times the dipole to the energy, nuclei among it
    assert found.dipole[2] / DEBYE == pytest.approx(theirs["slopes"][0], abs=5e-6)


def test_carbon_monoxide_is_as_measured_and_turns_with_hartree_fock() -> None:
    """C⁻O⁺, 0.112 D: C. A. Burrus, J. Chem. Phys. 28, 427 (1958), doi:10.1063/1.1744155, of memory.

    The limit of Hartree–Fock is 0.27 D the other way round.
    """
    found = dipole(MONOXIDE, level("CCSD(T)", MONOXIDE, "aug-cc-pVDZ"))
    assert found.dipole[2] == pytest.approx(0.112, abs=0.04)  # towards O, the positive end
    assert found.reference_dipole[2] == pytest.approx(-0.27, abs=0.03)
    assert found.dipole[:2] == pytest.approx([0, 0])


def test_it_turns_with_the_molecule_and_stays_where_it_is_moved() -> None:
    theory = level("MP2", WATER)
    found, other = dipole(WATER, theory), rotated(WATER, 0.7)
    other = other.moved_to(other.positions + 3.0)
    turned = dipole(other, theory)
    assert turned.dipole == pytest.approx(rotated_vector(found.dipole, 0.7), abs=2e-5)
    assert found.dipole[:2] == pytest.approx([0, 0])  # nothing is computed there


def rotated_vector(vector: Any, angle: float) -> Any:
    return rotated(single(1).moved_to(np.array([vector])), angle).positions[0]


@pytest.mark.parametrize("given", [CARBON_DIOXIDE, HYDROGEN, single(10)], ids=["CO2", "H2", "Ne"])
def test_symmetry_leaves_none(given: ConceptualAtoms) -> None:
    found = dipole(given, level("MP2", given))
    assert found.dipole.tolist() == [0, 0, 0]
    assert found.dipole_error == pytest.approx(0, abs=1e-6)


def test_the_limit_of_a_basis_set_has_one() -> None:
    """Which is as far from both sets as the energies' formula says, along a line."""
    both = [dipole(HYDROXYL, level("MP2", HYDROXYL, one)) for one in ("cc-pVDZ", "cc-pVTZ")]
    found = dipole(HYDROXYL, level("MP2", HYDROXYL, "cc-pV[DT]Z"))

    def parts(one: CorrelatedDipole) -> tuple[float, float]:
        alone = float(one.reference_dipole[2])
        return alone, float(one.dipole[2]) - alone

    (small, less), (large, more) = map(parts, both)
    alone = (large * np.exp(-6.3 * np.sqrt(2)) - small * np.exp(-6.3 * np.sqrt(3))) / (
        np.exp(-6.3 * np.sqrt(2)) - np.exp(-6.3 * np.sqrt(3))
    )
    wanted = alone + (27 * more - 8 * less) / 19
    assert found.reference_dipole[2] == pytest.approx(alone, abs=1e-4)
    assert found.dipole[2] == pytest.approx(wanted, abs=1e-3)


def test_where_it_points_is_told() -> None:
    there = {one.name: one for one in dipole_facts(MONOXIDE, np.array([0, 0, -0.2654]))}
    along = there["dipole_along_axis"]
    assert (along.value, along.note, along.label.strip()) == (
        pytest.approx(-0.2654),
        "C⁺O⁻",
        "along C1→O2",
    )
    assert there["dipole"].value == pytest.approx(0.2654)
    assert there["dipole_vector"].minor
    swapped = atoms([8, 6], [[0, 0, 1.1283], [0, 0, 0]])
    other = {one.name: one for one in dipole_facts(swapped, np.array([0, 0, -0.2654]))}
    assert other["dipole_along_axis"].value == pytest.approx(along.value)
    bent = {one.name: one for one in dipole_facts(WATER, np.array([0, 0, -1.9]))}
    assert "dipole_along_axis" not in bent
    assert not bent["dipole_vector"].minor
    assert linear_ends(CARBON_DIOXIDE) == (1, 2)
    nothing = {one.name: one for one in dipole_facts(CARBON_DIOXIDE, np.array([0, 0, -1e-9]))}
    assert nothing["dipole_along_axis"].note == ""
    assert str(nothing["dipole_along_axis"].value) == "0.0"
