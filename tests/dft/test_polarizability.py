"""Polarizabilities beside fields of two sizes, Psi4, the exact value of an atom, and each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evals.validation.psi4 import input_of, run
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.polarizability import Polarizability
from ontologies.units import Floats
from tests.conftest import Need
from tests.dft.structures import FORMALDEHYDE, METHYL, WATER
from triplestore.errors import RecipeError
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.polarizability import check, polarizability
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import converge

AMMONIA = ConceptualAtoms(
    numbers=[7, 1, 1, 1],
    positions=[[0, 0, 0.1], [0.94, 0, -0.27], [-0.47, 0.814, -0.27], [-0.47, -0.814, -0.27]],
)
FLUORIDE = ConceptualAtoms(numbers=[1, 9], positions=[[0, 0, 0], [0.5, 0, 0.76]])
OXYGEN = ConceptualAtoms(numbers=[8, 8], positions=[[0, 0, 0], [0, 0, 1.2075]], multiplicity=3)
NITROGEN_DIOXIDE = ConceptualAtoms(
    numbers=[7, 8, 8],
    positions=[[0, 0, 0], [0, 1.0989, 0.4653], [0, -1.0989, 0.4653]],
    multiplicity=2,
)


def level(atoms: ConceptualAtoms, method: str, basis: str = "6-31G", **more: Any) -> LevelOfTheory:
    reference = more.pop("reference", "restricted" if atoms.multiplicity == 1 else "unrestricted")
    if method != "HF":
        more = {"grid_level": 1} | more
    return resolve_level(method, basis, reference, **more).level


def mean(found: Polarizability) -> float:
    assert found.isotropic_polarizability is not None
    return found.isotropic_polarizability


def in_fields(
    atoms: ConceptualAtoms, at: LevelOfTheory, size: float, axes: tuple[int, ...] = (0, 1, 2)
) -> Floats:
    """Return the rows of a polarizability from dipoles of SCFs in fields along some axes."""
    near = converge(mean_field(molecule(atoms, at), at), atoms, at)
    with near.mol.with_common_orig((0, 0, 0)):
        places = near.mol.intor("int1e_r", comp=3)
    rows: list[Floats] = []
    for axis in axes:
        dipoles: list[Floats] = []
        for field in (size, -size):
            mf: Any = mean_field(near.mol, at)
            core = mf.get_hcore() + field * places[axis]
            mf.get_hcore = lambda *_, core=core: core
            mf.conv_tol, mf.conv_tol_grad, mf.max_cycle = 1e-12, 1e-7, 300
            mf.kernel(dm0=near.make_rdm1())
            assert mf.converged
            dipoles.append(mf.dip_moment(unit="AU", origin=np.zeros(3), verbose=0))
        rows.append((dipoles[0] - dipoles[1]) / (2 * size))
    return np.array(rows)


@pytest.mark.parametrize(
    ("atoms", "method", "more"),
    [
        (WATER, "HF", {}),
        (FLUORIDE, "HF", {"basis": "aug-cc-pVDZ"}),
        (METHYL, "HF", {}),
        (OXYGEN, "HF", {}),
        (AMMONIA, "SVWN", {}),
        (FLUORIDE, "PBE", {}),
        (FORMALDEHYDE, "B3LYP", {"basis": "STO-3G"}),
        (WATER, "r2SCAN", {}),
        (WATER, "CAM-B3LYP", {}),
        (WATER, "B3LYP-D4", {}),
        (WATER, "PBE", {"density_fitting": True}),
        (METHYL, "PBE", {}),
        (METHYL, "B3LYP", {"basis": "STO-3G"}),
        (OXYGEN, "HF", {"solvent": "water"}),
        (FLUORIDE, "HF", {"solvent": "water", "solvation": "SMD"}),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_it_is_that_of_fields_of_two_sizes(
    atoms: ConceptualAtoms, method: str, more: dict[str, Any]
) -> None:
    at = level(atoms, method, **more)
    found = polarizability(atoms, at)
    axes = (0, 1, 2) if method == "HF" and at.solvation is None else (1,)
    strong, weak = (in_fields(atoms, at, size, axes) for size in (0.002, 0.001))
    # what a field adds grows with its square: two fields tell what is left without one
    still = (4 * weak - strong) / 3
    rows = found.polarizability[list(axes)]
    assert rows == pytest.approx(still, abs=4e-4)
    assert rows == pytest.approx(weak, abs=2e-3)
    assert np.array_equal(found.polarizability, found.polarizability.T)
    assert not any("turn easily" in one for one in found.remarks)


def test_an_atom_of_hydrogen_has_nine_halves() -> None:
    """Exact: 4.5 bohr³ (quoted from memory); a basis set finds less."""
    atom = ConceptualAtoms(numbers=[1], positions=[[0, 0, 0]], multiplicity=2)
    found = polarizability(atom, level(atom, "HF", "aug-cc-pVQZ"))
    assert mean(found) == pytest.approx(4.5, abs=0.01)
    assert mean(found) < 4.5
    assert found.polarizability_anisotropy == pytest.approx(0, abs=1e-6)


def test_water_is_as_published() -> None:
    """Near the Hartree–Fock limit the mean is 8.5 bohr³ (quoted from memory)."""
    found = polarizability(WATER, level(WATER, "HF", "aug-cc-pVTZ"))
    assert mean(found) == pytest.approx(8.5, abs=0.15)
    tight = polarizability(WATER, level(WATER, "HF", "6-31G*"))
    assert mean(tight) < 0.65 * mean(found)
    assert any("no diffuse functions on O" in one for one in tight.remarks)
    assert not any("diffuse" in one for one in found.remarks)


def test_what_is_unstable_is_refused_and_what_is_soft_is_said() -> None:
    """UHF puts the unpaired electron of NO2 on either oxygen: the symmetric solution is unstable.

    A field along O–O tells the two sides apart, so that differences of finite fields are those of
    other solutions. At the stable solution they come to the response as the fields grow weaker.
    """
    symmetric = level(NITROGEN_DIOXIDE, "HF", "cc-pVDZ")
    with pytest.raises(RecipeError, match=r"not stable.*\n?.*stable solution"):
        polarizability(NITROGEN_DIOXIDE, symmetric)
    stable = level(NITROGEN_DIOXIDE, "HF", "cc-pVDZ", follow_instabilities=True)
    found = polarizability(NITROGEN_DIOXIDE, stable)
    assert any("turn easily" in one for one in found.remarks)
    rows = [in_fields(NITROGEN_DIOXIDE, stable, size, (1,))[0] for size in (0.0005, 0.00025)]
    apart = [float(np.abs(row - found.polarizability[1]).max()) for row in rows]
    assert apart[0] > 3 * apart[1]
    assert (4 * rows[1] - rows[0]) / 3 == pytest.approx(found.polarizability[1], abs=2e-3)


@pytest.mark.parametrize(
    ("method", "more", "why"),
    [
        ("HF", {"reference": "restricted open-shell"}, "restricted open-shell"),
        ("wB97X-V", {}, "non-local correlation"),
    ],
)
def test_what_has_no_response_is_refused_before_it_runs(
    method: str, more: dict[str, Any], why: str
) -> None:
    atoms = OXYGEN if more else WATER
    with pytest.raises(RecipeError, match=why):
        check(atoms, level(atoms, method, **more))


RESPONSE = """\
found = {{}}
psi4.properties({method!r}, properties=["DIPOLE_POLARIZABILITIES"], molecule=mol)
found["rows"] = [[psi4.variable("DIPOLE POLARIZABILITY " + a + b) for b in "XYZ"] for a in "XYZ"]
"""
FIELDS = """\
found = dict(rows=[])
psi4.set_options(dict(perturb_h=True, perturb_with="dipole"))
for axis in range(3):
    dipoles = []
    for size in (0.0005, -0.0005):
        psi4.set_options(dict(perturb_dipole=[size * (axis == n) for n in range(3)]))
        energy, wfn = psi4.energy({method!r}, molecule=mol, return_wfn=True)
        psi4.oeprop(wfn, "DIPOLE", title="IN")
        dipoles.append([psi4.variable("IN DIPOLE " + one) for one in "XYZ"])
    apart = [one - other for one, other in zip(*dipoles)]
    found["rows"].append([-one / 0.001 / psi4.constants.dipmom_au2debye for one in apart])
"""
"""Psi4 solves the equations of closed shells only; of open ones there are fields."""


@pytest.mark.parametrize(
    ("atoms", "method", "reference", "body", "near"),
    [
        (WATER, "HF", "rhf", RESPONSE, 1e-5),
        (WATER, "PBE", "rks", RESPONSE, 1e-3),
        (METHYL, "HF", "uhf", FIELDS, 4e-4),
    ],
    ids=["RHF", "RKS", "UHF"],
)
def test_psi4_finds_the_same(
    atoms: ConceptualAtoms, method: str, reference: str, body: str, near: float, need: Need
) -> None:
    need("psi4")
    options = {
        "basis": "6-31G", "puream": True, "scf_type": "pk", "reference": reference,
        "e_convergence": 1e-11, "d_convergence": 1e-10, "save_jk": True,
        "dft_spherical_points": 590, "dft_radial_points": 99,
    }  # fmt: skip
    theirs = np.array(run(input_of(atoms, options, body.format(method=method)))["rows"])
    more: dict[str, Any] = {"grid_level": 5} if method != "HF" else {}
    at = level(atoms, method, **more)
    assert polarizability(atoms, at).polarizability == pytest.approx(theirs, abs=near)
