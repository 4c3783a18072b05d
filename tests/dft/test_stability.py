"""Stability of SCF solutions, against analytic limits and other programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pyscf import lib

from ontologies.level import LevelOfTheory
from triplestore.errors import NotConvergedError
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.stability import stability
from workflows.dft.properties.surface import frequencies
from workflows.dft.scf.instability import external_mode, internal_mode, settle
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import solve

from .structures import WATER, atoms

BOHR = 0.529177210544


def level(method: str, basis: str, reference: str = "restricted", **more: Any) -> LevelOfTheory:
    found = resolve_level(method, basis, reference).level  # pyright: ignore
    return found.model_copy(update=more) if more else found


def pair(number: int, distance: float, **more: Any) -> Any:
    return atoms([number, number], [[0, 0, 0], [0, 0, distance]], **more)


def solution(given: Any, at: LevelOfTheory, **settings: Any) -> Any:
    mf = mean_field(molecule(given, at), at)
    for name, value in settings.items():
        setattr(mf, name, value)
    return solve(mf, given, at)


@pytest.mark.parametrize("distance", [1.4, 2.1, 2.3, 4.0])
def test_hydrogen_in_a_minimal_basis_is_known_in_closed_form(distance: float) -> None:
    """RHF of H2 is a saddle where eps_u - eps_g < J_gu + K_gu: beyond 2.18 bohr in STO-3G.

    Both orbitals follow from symmetry. Source: A. Szabo, N. S. Ostlund, Modern Quantum Chemistry
    (1989), section 3.8.7.
    """
    given, at = pair(1, distance * BOHR), level("HF", "STO-3G")
    mf = solution(given, at)
    s = mf.mol.intor("int1e_ovlp")[0, 1]
    repulsion, core = mf.mol.intor("int2e"), mf.get_hcore()
    g, u = np.array([1, 1]) / np.sqrt(2 + 2 * s), np.array([1, -1]) / np.sqrt(2 - 2 * s)

    def integral(*orbitals: np.ndarray) -> float:
        return float(np.einsum("pqrs,p,q,r,s", repulsion, *orbitals))

    coulomb, exchange = integral(g, g, u, u), integral(g, u, g, u)
    below = g @ core @ g + integral(g, g, g, g)
    above = u @ core @ u + 2 * coulomb - exchange
    wanted = float(above - below - coulomb - exchange)
    assert external_mode(mf)[0] == pytest.approx(4 * wanted, abs=1e-6)
    found = stability(given, at)
    assert found.internal
    assert found.external is (wanted > 0)
    assert found.external is (distance < 2.18)
    assert found.stability == ("stable" if found.external else "unstable")
    assert found.reoptimisations == (0 if found.external else 1)
    assert found.lowering == pytest.approx(found.energy - found.stable_energy)
    assert (found.lowering > 1e-3) is not found.external


def test_hydrogen_falls_apart_into_two_atoms() -> None:
    """E(H) in STO-3G: -0.46658 Eh (Szabo and Ostlund); an equal mixture of singlet and triplet."""
    found = stability(pair(1, 20.0), level("HF", "STO-3G"))
    assert found.stable_energy == pytest.approx(-2 * 0.466582, abs=2e-6)
    assert found.stable_spin_squared == pytest.approx(1.0, abs=1e-6)


def test_an_unrestricted_instability_is_followed_as_in_psi4() -> None:
    """BH+ with its odd electron in a π orbital; both energies and both eigenvalues of the Hessian.

    Psi4 counts each rotation once for both of its directions: half of our eigenvalue. Source: Psi4,
    tests/stability1 (UHF, cc-pVDZ, 1.0 Å).
    """
    from pyscf.scf import addons

    given, at = atoms([5, 1], [[0, 0, 0], [0, 0, 1]], charge=1, multiplicity=2), "unrestricted"
    mf = solution(given, level("HF", "cc-pVDZ", at), conv_tol=1e-11)
    assert mf.e_tot == pytest.approx(-24.78964070898, abs=1e-7)
    assert internal_mode(mf)[0] / 2 == pytest.approx(0.128037, abs=1e-5)
    occupations = np.array(mf.mo_occ)
    occupations[0, 2:4] = 0, 1
    held = mean_field(mf.mol, level("HF", "cc-pVDZ", at))
    held.conv_tol = 1e-11
    addons.mom_occ_(held, mf.mo_coeff, occupations)
    held.kernel(mf.make_rdm1(mf.mo_coeff, occupations))
    del held.get_occ
    assert held.e_tot == pytest.approx(-24.6562185615, abs=1e-7)
    assert internal_mode(held)[0] / 2 == pytest.approx(-0.131403, abs=1e-5)
    assert settle(held) == 1
    assert held.e_tot == pytest.approx(-24.78964070898, abs=1e-7)


def test_the_hessian_of_restricted_open_shells_is_that_of_psi4() -> None:
    """ROHF of CN: a quarter of our eigenvalue. Source: Psi4, tests/stability2 (cc-pVDZ, 1.175 Å).

    PySCF's own product leaves out a part of it and gives 0.02557.
    """
    given = atoms([6, 7], [[0, 0, 0], [0, 0, 1.175]], multiplicity=2)
    mf = solution(given, level("HF", "cc-pVDZ", "restricted open-shell"), conv_tol=1e-11)
    assert mf.e_tot == pytest.approx(-92.19555660617, abs=1e-7)
    assert internal_mode(mf)[0] / 4 == pytest.approx(0.022220, abs=2e-6)


HYDROXYL = atoms([8, 1], [[0, 0, 0], [0, 0, 0.97]], multiplicity=2)
KINDS = [
    ("HF", "restricted", {}),
    ("PBE0", "unrestricted", {"grid_level": 0}),
    ("PBE", "restricted open-shell", {"grid_level": 0}),
    ("HF", "unrestricted", {"solvation": "C-PCM", "solvent": "water"}),
    ("HF", "restricted open-shell", {"solvation": "C-PCM", "solvent": "water"}),
    ("HF", "restricted", {"density_fitting": True}),
]


@pytest.mark.parametrize(("method", "reference", "more"), KINDS)
def test_an_eigenvalue_is_the_curvature_of_the_energy(
    method: str, reference: str, more: dict[str, Any]
) -> None:
    at = resolve_level(method, "STO-3G", reference, **more).level  # pyright: ignore
    given = WATER if reference == "restricted" else HYDROXYL
    mf = solution(given, at.model_copy(update={"scf_tolerance": 1e-11}))
    value, mode = internal_mode(mf)
    turner, step = mf.newton(), 0.02

    def energy(angle: float) -> float:
        unitary = turner.update_rotate_matrix(angle * mode, mf.mo_occ, mo_coeff=mf.mo_coeff)
        return mf.energy_tot(mf.make_rdm1(turner.rotate_mo(mf.mo_coeff, unitary), mf.mo_occ))

    curvature = (energy(step) + energy(-step) - 2 * energy(0)) / step**2
    assert value == pytest.approx(curvature, abs=1e-3)


@pytest.mark.parametrize("surroundings", [{}, {"solvation": "C-PCM", "solvent": "water"}])
def test_an_external_eigenvalue_is_the_curvature_towards_two_spins(
    surroundings: dict[str, Any],
) -> None:
    """In a continuum too, which does not respond to a change of the spin density."""
    from pyscf.scf import hf
    from pyscf.soscf.newton_ah import expmat

    at = resolve_level("PBE0", "STO-3G", "restricted", grid_level=0, **surroundings).level
    mf = solution(WATER, at.model_copy(update={"scf_tolerance": 1e-11}))
    free = mean_field(mf.mol, at.model_copy(update={"reference": "unrestricted"}))
    value, mode = external_mode(mf)
    turn, step, full = hf.unpack_uniq_var(mode, mf.mo_occ), 0.03, mf.mo_occ > 0

    def energy(angle: float) -> float:
        spins = [(mf.mo_coeff @ expmat(sign * angle * turn))[:, full] for sign in (1, -1)]
        return free.energy_tot(np.array([c @ c.T for c in spins]))

    curvature = (energy(step) + energy(-step) - 2 * energy(0)) / step**2
    assert value == pytest.approx(curvature, rel=5e-3)


def test_what_is_followed_is_the_answer_everywhere() -> None:
    """N2+ at 1.1 Å, UHF/STO-3G: the usual guess leads to a saddle 0.0146 Eh above a minimum."""
    given, at = pair(7, 1.1, charge=1, multiplicity=2), level("HF", "STO-3G", "unrestricted")
    usual = stability(given, at)
    assert (usual.internal, usual.external, usual.stability) == (False, None, "unstable")
    assert single_point(given, at).energy == pytest.approx(usual.energy, abs=1e-9)
    lower = at.model_copy(update={"follow_instabilities": True})
    found = single_point(given, lower)
    assert found.energy == pytest.approx(usual.stable_energy, abs=1e-8)
    assert usual.lowering == pytest.approx(0.0146, abs=1e-4)
    assert found.scf_path == ("DIIS", "instability followed")
    assert found.stability == "stable"
    assert frequencies(given, lower).energy == found.energy
    again = stability(given, lower)
    assert (again.internal, again.reoptimisations) == (True, 0)
    assert again.stable_energy == found.energy


def test_oxygen() -> None:
    """The triplet is stable; the closed shell is not towards two spins (Gaussian says so too).

    Source: H. Zipse, "Stability of wavefunctions", LMU Munich, www.cup.uni-muenchen.de/ch/compchem
    (singlet O2 at 1.2222 Å in STO-5G).
    """
    triplet = stability(pair(8, 1.2075, multiplicity=3), level("HF", "6-31G*", "unrestricted"))
    assert (triplet.internal, triplet.stability, triplet.lowering) == (True, "stable", 0)
    singlet = stability(pair(8, 1.2222), level("HF", "STO-3G"))
    assert (singlet.internal, singlet.external) == (True, False)
    assert singlet.stable_spin_squared == pytest.approx(1.0, abs=0.05)


def test_ozone_is_a_biradical_for_hartree_fock() -> None:
    half = np.radians(114.0451 / 2)
    x, z = 1.2227 * np.sin(half), 1.2227 * np.cos(half)
    ozone = atoms([8, 8, 8], [[0, 0, 0], [x, 0, z], [-x, 0, z]])
    found = stability(ozone, level("HF", "STO-3G"))
    assert (found.internal, found.external) == (True, False)
    assert found.lowering > 0.05


def test_restricted_dicarbon_is_unstable_within_and_without() -> None:
    given = pair(6, 1.2425)
    found = stability(given, level("HF", "6-31G*"))
    assert (found.internal, found.external) == (False, False)
    assert found.reoptimisations == 2
    own = single_point(given, level("HF", "6-31G*", follow_instabilities=True))
    assert found.stable_energy < own.energy < found.energy - 0.02
    assert own.spin_squared is None


def test_closed_shells_are_stable() -> None:
    for at in (level("HF", "STO-3G"), level("PBE", "STO-3G", grid_level=0)):
        found = stability(WATER, at)
        assert (found.internal, found.external, found.stability) == (True, True, "stable")
        assert found.stable_energy == found.energy


def test_an_eigenvalue_that_misses_its_equation_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    find = lib.davidson1

    def spoiled(*args: Any, **options: Any) -> Any:
        _, values, vectors = find(*args, **options)
        return [True] * len(values), values, [np.roll(one, 1) for one in vectors]

    monkeypatch.setattr(lib, "davidson1", spoiled)
    with pytest.raises(NotConvergedError, match="missed by"):
        stability(WATER, level("HF", "STO-3G"))


def test_nothing_to_turn_is_stable() -> None:
    proton = stability(atoms([1], [[0, 0, 0]], charge=1), level("HF", "STO-3G"))
    assert (proton.internal, proton.external) == (True, True)
    helium = stability(atoms([2], [[0, 0, 0]]), level("HF", "STO-3G"))
    assert (helium.internal, helium.external) == (True, True)
    for method in ("HF", "PBE"):
        lone = atoms([1], [[0, 0, 0]], multiplicity=2)
        assert stability(lone, level(method, "6-31G", "unrestricted")).stability == "stable"
