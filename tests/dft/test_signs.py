"""What is seen of an SCF unasked: of what is no ground state a word, of ordinary molecules none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import GeometryConstraints
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.excitation import excitations
from workflows.dft.properties.stability import stability
from workflows.dft.properties.surface import optimise
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import solve, watch
from workflows.dft.scf.screening import decided
from workflows.molecule.embedding import embed

from .structures import atoms


def level(method: str, reference: str = "restricted", basis: str = "6-31G") -> LevelOfTheory:
    grid = {} if method == "HF" else {"grid_level": 1}
    return resolve_level(method, basis, reference, **grid).level  # pyright: ignore


def pair(number: int, distance: float, **more: Any) -> ConceptualAtoms:
    return atoms([number, number], [[0, 0, 0], [0, 0, distance]], **more)


TWISTED = atoms(
    [6, 6, 1, 1, 1, 1],
    [
        [0, 0, 0.67],
        [0, 0, -0.67],
        [0.93, 0, 1.23],
        [-0.93, 0, 1.23],
        [0, 0.93, -1.23],
        [0, -0.93, -1.23],
    ],
)
CYCLOBUTADIENE = atoms(
    [6] * 4 + [1] * 4,
    [
        [x * a, y * b, 0]
        for a, b in ((0.7835, 0.673), (1.5435, 1.433))
        for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ],
)
OZONE = atoms([8, 8, 8], [[0, 0, 0], [1.0885, 0.665, 0], [-1.0885, 0.665, 0]])

DOUBTFUL = {
    "hydrogen at 3 Å": pair(1, 3.0),
    "nitrogen at 2.5 Å": pair(7, 2.5),
    "twisted ethylene": TWISTED,
    "ozone": OZONE,
}

NOT_STABLE = "not stable"


@pytest.mark.parametrize("name", DOUBTFUL)
@pytest.mark.parametrize("method", ["HF", "B3LYP"])
@pytest.mark.parametrize("reference", ["restricted", "unrestricted"])
def test_a_closed_shell_that_is_none_is_remarked(name: str, method: str, reference: str) -> None:
    given, at = DOUBTFUL[name], level(method, reference)
    found = single_point(given, at)
    if (found.spin_squared or 0.0) > 0.1:  # by rounding it went straight to the lower solution
        assert found.energy < single_point(given, level(method)).energy - 1e-3
        return
    assert found.stability == "unstable"
    [said] = [remark for remark in found.remarks if NOT_STABLE in remark]
    assert ("came to the closed shell" in said) is (reference == "unrestricted")
    plain = solve(mean_field(molecule(given, at), at), given, at)  # nothing of it has changed
    assert (found.energy, found.scf_cycles) == (plain.e_tot, plain.cycles)
    if method == "HF" and reference == "restricted":  # the complete analysis agrees
        whole = stability(given, at)
        assert whole.external is False
        assert 1000 * whole.lowering > float(said.split(" mEh")[0].split()[-1])


def test_the_antiaromatic_closed_shell_of_hartree_fock_is_remarked() -> None:
    assert single_point(CYCLOBUTADIENE, level("HF")).stability == "unstable"


@pytest.mark.parametrize(
    "notation",
    [
        "O",
        "N",
        "C=C",
        "C#C",
        "C=O",
        "C#N",
        "O=C=O",
        "C=CC=C",
        "CC(=O)O",
        "C[N+](=O)[O-]",
        "O=CC=O",
        "CN=[N+]=[N-]",
        "[C-]#[O+]",
        "F",
        "[Li]F",
        "CC(=O)[O-]",
        "c1ccccc1",
        "C=CC=O",
        "S",
        "C1CC1",
    ],
)
def test_of_ordinary_molecules_nothing_is_said(notation: str) -> None:
    """Hartree–Fock has slight instabilities for every π system, which are its error."""
    found = single_point(embed(notation, "smiles").atoms, level("HF"))
    assert (found.stability, found.remarks) == ("not analysed", ())


@pytest.mark.parametrize("notation", ["C=C", "C=O", "N=N", "O=CC=O"])
def test_nor_of_ordinary_molecules_with_functionals(notation: str) -> None:
    given = embed(notation, "smiles").atoms
    for method in ("PBE", "B3LYP"):
        assert single_point(given, level(method)).remarks == ()


def test_an_open_shell_that_is_not_the_ground_state_is_remarked() -> None:
    """Triplet oxygen where a force field puts it: 59 kJ/mol above the stable solution."""
    given, at = pair(8, 1.316, multiplicity=3), level("HF", "unrestricted", "STO-3G")
    found = single_point(given, at)
    assert found.stability == "unstable"
    assert "not the ground state of its kind" in found.remarks[0]
    settled = single_point(given, at.model_copy(update={"follow_instabilities": True}))
    assert 2625.5 * (found.energy - settled.energy) == pytest.approx(59.2, abs=0.1)
    assert settled.remarks == ()


@pytest.mark.parametrize(("number", "multiplicity"), [(7, 4), (8, 3), (9, 2), (3, 2)])
def test_turning_a_degenerate_state_in_space_is_no_instability(
    number: int, multiplicity: int
) -> None:
    atom = atoms([number], [[0, 0, 0]], multiplicity=multiplicity)
    for method in ("HF", "B3LYP"):
        assert single_point(atom, level(method, "unrestricted")).remarks == ()
    assert single_point(atom, level("HF", "restricted open-shell")).remarks == ()


def test_a_relaxed_geometry_says_it_too() -> None:
    held = GeometryConstraints(distance_atoms=np.array([[0, 1]]), distances=np.array([3.0]))
    found = optimise(pair(1, 2.9), level("HF", basis="STO-3G"), constraints=held)
    assert found.stability == "unstable"
    assert NOT_STABLE in found.remarks[0]


def test_a_state_that_is_all_but_degenerate_is_remarked() -> None:
    ion = pair(1, 5.0, charge=1, multiplicity=2)  # one electron on two nuclei: exact
    near = excitations(ion, level("HF", "unrestricted", "STO-3G"), 1)
    assert 0 < near.excitation_energies[0] < 0.2
    far = excitations(pair(1, 0.74), level("HF", basis="STO-3G"), 1)
    assert far.remarks == ()
    assert any("all but degenerate" in remark for remark in near.remarks)


def test_what_surrounds_a_molecule_does_not_hide_it() -> None:
    given = pair(1, 3.0)
    ways: tuple[dict[str, Any], ...] = (
        {"solvent": "water"},
        {"density_fitting": True},
        {"dispersion": "D3(BJ)"},
    )
    for options in ways:
        at = resolve_level("PBE", "6-31G", "restricted", grid_level=1, **options).level
        mf = solve(mean_field(molecule(given, at), at), given, at)
        before = dict(mf.scf_summary), np.array(mf.mo_coeff)
        gradient = mf.nuc_grad_method().kernel()
        watch(mf, at)
        assert NOT_STABLE in mf._course.sign
        assert mf.scf_summary == before[0]
        assert np.array_equal(mf.mo_coeff, before[1])
        assert np.array_equal(mf.nuc_grad_method().kernel(), gradient)


@pytest.mark.parametrize("seed", range(20))
def test_on_which_side_of_a_limit_an_eigenvalue_lies_is_found(seed: int) -> None:
    order = np.random.default_rng(seed)
    size = int(order.integers(1, 120))
    diagonal = np.sort(order.uniform(0.1, 6, size))
    matrix = np.diag(diagonal) + (lambda a: a + a.T)(order.normal(0, 0.03, (size, size)))
    lowest = float(np.linalg.eigvalsh(matrix)[0])
    starts = [*np.eye(size)[:2], order.standard_normal(size)]
    counted = 0

    def product(vector: Any) -> Any:
        nonlocal counted
        counted += 1
        return matrix @ vector

    for limit in (lowest - 0.05, lowest + 0.05, -0.01):
        value, vector = decided(product, np.diag(matrix), starts, limit)
        assert (value < limit) is (lowest < limit)
        assert np.linalg.norm(vector) == pytest.approx(1)
        assert value == pytest.approx(float(vector @ matrix @ vector))
    assert counted <= 3 * 40
