"""The response of the orbitals: that its equations are fulfilled, and what follows from it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pyscf import lib

from ontologies.atoms import ConceptualAtoms
from tests.dft.structures import atoms, level, solved
from triplestore.errors import NotConvergedError
from workflows.dft.level.solvents import continuum_of
from workflows.dft.properties.derivatives import analytic
from workflows.dft.scf import response
from workflows.dft.scf.equations import directions, solve, solve_directly

BOHR = 0.529177210544
LINEAR = atoms([6, 8, 8], [[0, 0, 0], [0, 0, 1.1692], [0, 0, -1.1692]])
BENT = atoms([8, 1, 1], [[0, 0.02, 0.117], [0, 0.757, -0.5], [0.1, -0.757, -0.469]])
RADICAL = atoms([7, 1, 1], [[0, 0.02, 0.14], [0, 0.8, -0.5], [0.05, -0.8, -0.48]], multiplicity=2)
PAIR = atoms([7, 8], [[0, 0, 0], [0, 0, 1.15]], multiplicity=2)


# --- equations ------------------------------------------------------------------------------------


def matrix(size: int, weight: float = 0.5) -> Any:
    """A symmetric matrix near a diagonal, with eigenvalues of one order of magnitude."""
    draw = np.random.default_rng(7)
    noise = draw.standard_normal((size, size))
    noise = (noise + noise.T) / np.sqrt(8 * size)
    diagonal = draw.uniform(1, 3, size)
    return np.diag(diagonal) + weight * noise, diagonal


@pytest.mark.parametrize("apart", [1.0, 1e-3, 1e-6, 1e-9, 0.0])
def test_right_hand_sides_that_nearly_agree_are_all_solved(apart: float) -> None:
    whole, diagonal = matrix(200)
    draw = np.random.default_rng(3)
    wanted = np.repeat(draw.standard_normal((1, 200)), 3, axis=0) / 14
    wanted[1:] += apart * draw.standard_normal((2, 200)) / 14
    found = solve(lambda rows: rows @ whole.T, diagonal, wanted, 1e-10)
    assert np.abs(found @ whole.T - wanted).max() < 1e-9
    assert found == pytest.approx(np.linalg.solve(whole, wanted.T).T, abs=1e-9)


def test_pyscf_still_stops_early_where_right_hand_sides_nearly_agree() -> None:
    """The script of docs/why.md; once this fails, PySCF's own solver may do."""
    draw = np.random.default_rng(3)
    a = draw.standard_normal((200, 200))
    a = 0.3 * (a + a.T) / np.sqrt(800)
    b = draw.standard_normal((2, 200))
    b[1] = b[0] + 1e-7 * b[1]
    found = lib.krylov(lambda v: v @ a.T, b, tol=1e-9, max_cycle=100)
    assert np.abs(found + found @ a.T - b).max() > 1e-4
    alone = lib.krylov(lambda v: v @ a.T, b[:1], tol=1e-9, max_cycle=100)
    assert np.abs(alone + alone @ a.T - b[:1]).max() < 1e-6


def test_what_does_not_converge_is_solved_directly() -> None:
    whole, diagonal = matrix(60, weight=8)
    assert np.linalg.eigvalsh(whole).min() < 0, "a hard one was wanted"
    wanted = np.random.default_rng(1).standard_normal((4, 60))

    def product(rows: Any) -> Any:
        return rows @ whole.T

    few = solve(product, diagonal, wanted, 1e-9, cycles=3)
    assert np.abs(few @ whole.T - wanted).max() > 1e-3
    assert np.abs(solve_directly(product, wanted) @ whole.T - wanted).max() < 1e-9


def test_directions_are_orthonormal_and_new() -> None:
    draw = np.random.default_rng(5)
    space = np.linalg.qr(draw.standard_normal((50, 6)))[0].T
    rows = draw.standard_normal((4, 50))
    rows[1] = rows[0] + 1e-4 * rows[1]
    rows[2] = space[0] + 1e-4 * rows[2]
    rows[3] = space[1]
    fresh = directions(rows / np.linalg.norm(rows, axis=1)[:, None], space)
    assert fresh.shape == (3, 50)
    every = np.vstack([space, fresh])
    assert every @ every.T == pytest.approx(np.eye(9), abs=1e-12)


# --- molecules ------------------------------------------------------------------------------------


def missed(mf: Any) -> float:
    """By how much the response misses its equations, formed anew from densities."""
    solver = response.Hessian(mf.Hessian())
    solver.kernel()
    channels = response.channels_of(mf)
    raw = solver.solver.make_h1(mf.mo_coeff, mf.mo_occ)
    forces = [raw] if len(channels) == 1 else raw
    overlap = mf.get_ovlp()
    before = mf.make_rdm1()
    if (solvent := continuum_of(mf)) is not None:
        solvent.equilibrium_solvation = True
    felt = mf.gen_response(mf.mo_coeff, mf.mo_occ, hermi=1)
    fock = mf.get_fock(dm=before)
    slopes = -mf.mol.intor("int1e_ipovlp", comp=3)
    worst = 0.0
    for atom, (_, _, start, stop) in enumerate(mf.mol.aoslice_by_atom()):
        moved = np.zeros_like(slopes)
        moved[:, start:stop] = slopes[:, start:stop]
        moved = moved + moved.transpose(0, 2, 1)
        turns = [c.orbitals @ u[atom] for c, u in zip(channels, solver.changes, strict=True)]
        changed = []
        for c, turn in zip(channels, turns, strict=True):
            half = c.electrons * turn @ c.below.T
            changed.append(half + half.transpose(0, 2, 1))
        extra = felt(changed[0]) if len(channels) == 1 else felt(np.array(changed))
        for s, c in enumerate(channels):
            whole = np.asarray(forces[s][atom]) + (extra if len(channels) == 1 else extra[s])
            own = fock if len(channels) == 1 else fock[s]
            energies = c.energies[c.filled]
            left = whole @ c.below + own @ turns[s]
            left = left - (moved @ c.below + overlap @ turns[s]) * energies
            worst = max(worst, float(np.abs(c.orbitals[:, ~c.filled].T @ left).max()))
    return worst


@pytest.mark.parametrize(
    ("given", "theory"),
    [
        (LINEAR, ("B3LYP", {"basis": "6-31G*"})),
        (LINEAR, ("PBE", {})),
        (BENT, ("HF", {})),
        (BENT, ("B3LYP", {"density_fitting": True})),
        (BENT, ("B3LYP", {"solvent": "water"})),
        (BENT, ("CAM-B3LYP", {})),
        (RADICAL, ("PBE0", {"reference": "unrestricted"})),
        (PAIR, ("B3LYP", {"reference": "unrestricted"})),
    ],
    ids=["CO2", "CO2 GGA", "HF", "density fitting", "solvent", "range", "radical", "degenerate"],
)
def test_the_equations_are_fulfilled(given: ConceptualAtoms, theory: Any) -> None:
    method, options = theory
    assert missed(solved(given, level(method, **options))) < 1e-6


def test_carbon_dioxide_by_differences() -> None:
    """The change of the dipole with carbon was off by 0.009 e, that of the force by 0.002."""
    theory, step = level("B3LYP", "6-31G*"), 0.01
    found = analytic(solved(LINEAR, theory))
    beside = []
    for sign in (1, -1):
        places = LINEAR.positions.copy()
        places[0, 2] += sign * step * BOHR
        mf = solved(LINEAR.moved_to(places), theory)
        beside.append((mf.dip_moment(unit="AU", verbose=0), mf.nuc_grad_method().kernel()))
    dipole, force = [(one - other) / (2 * step) for one, other in zip(*beside, strict=True)]
    assert found.dipoles[0, 2] == pytest.approx(dipole, abs=5e-4)
    assert found.hessian[0, :, 2] == pytest.approx(force, abs=5e-4)


def test_a_response_in_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    mf = solved(BENT, level("B3LYP"))
    whole = analytic(mf)
    monkeypatch.setattr(response, "SHARE", 0.0)
    parts = analytic(mf)
    assert parts.hessian == pytest.approx(whole.hessian, abs=1e-6)
    assert parts.dipoles == pytest.approx(whole.dipoles, abs=1e-6)


def test_a_response_that_is_not_found_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    mf = solved(BENT, level("HF"))
    whole = analytic(mf)
    monkeypatch.setattr(response, "solve", lambda _p, _d, wanted, _t: 0 * wanted)
    direct = analytic(mf)
    assert direct.hessian == pytest.approx(whole.hessian, abs=1e-6)
    monkeypatch.setattr(response, "DIRECTLY", 0)
    with pytest.raises(NotConvergedError, match="missed by") as caught:
        analytic(mf)
    assert "functional" in caught.value.advice
