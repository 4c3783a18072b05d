"""Excited states against an analytic limit, and against what must not depend on how one asks."""

from typing import Any

import numpy as np
import pytest
from pyscf import ao2mo, gto, scf

from ontologies.atoms import ConceptualAtoms
from ontologies.excitations import ResponseName, StateSpin
from ontologies.level import LevelOfTheory, Solvation
from ontologies.provenance import Activity
from triplestore.errors import InputError, NotConvergedError, RecipeError
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties import excitation
from workflows.dft.properties.excitation import check_states, excitations
from workflows.dft.request.size import single_excitations
from workflows.dft.scf.meanfield import molecule

from .conftest import Bench
from .structures import METHYL

EV = 27.211386245988

WATER = ConceptualAtoms(
    numbers=[8, 1, 1], positions=[[0, 0, 0.1173], [0, 0.7572, -0.4692], [0, -0.7572, -0.4692]]
)
HF = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")
UHF = LevelOfTheory(method="HF", basis="STO-3G", reference="unrestricted")


def hydrogen(distance: float) -> ConceptualAtoms:
    return ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, distance]])


def two_levels(distance: float) -> tuple[float, float, float]:
    """Orbital energy difference and the integrals (11|22) and (12|12) of H2 in a minimal basis."""
    mol = gto.M(atom=f"H 0 0 0; H 0 0 {distance}", basis="sto-3g", verbose=0)
    mf = scf.RHF(mol)
    mf.set(conv_tol=1e-12).run()
    integrals = ao2mo.restore(1, ao2mo.kernel(mol, mf.mo_coeff), 2)
    return float(np.ptp(np.asarray(mf.mo_energy))), integrals[0, 0, 1, 1], integrals[0, 1, 0, 1]


@pytest.mark.parametrize("response", ["TDA", "TDDFT"])
def test_two_electrons_in_two_orbitals_have_closed_formulas(response: ResponseName) -> None:
    """A = Δε + 2K − J and B = 2K for the singlet, A = Δε − J and B = −J… see Szabo and Ostlund."""
    gap, coulomb, exchange = two_levels(0.74)
    cases: tuple[tuple[StateSpin, float, float], ...] = (
        ("singlet", gap + 2 * exchange - coulomb, exchange),
        ("triplet", gap - coulomb, -exchange),
    )
    for spin, diagonal, coupling in cases:
        expected = diagonal if response == "TDA" else np.sqrt(diagonal**2 - coupling**2)
        found = excitations(hydrogen(0.74), HF, 1, response, spin)
        assert found.excitation_energies[0] == pytest.approx(expected * EV, abs=1e-4)
        assert found.manifold == spin
        assert found.transitions[0].startswith("1 → 2 (")


def test_closed_shells_of_unrestricted_orbitals_give_singlets_and_triplets() -> None:
    both = excitations(WATER, UHF, 6, "TDA").excitation_energies
    singlets = excitations(WATER, HF, 6, "TDA").excitation_energies
    triplets = excitations(WATER, HF, 6, "TDA", "triplet").excitation_energies
    expected = np.sort(np.concatenate([singlets, triplets]))[:6]
    assert both == pytest.approx(expected, abs=1e-3)


def test_strength_is_that_of_the_transition_dipole() -> None:
    found = excitations(WATER, HF, 4)
    moments = found.transition_dipoles / 2.541746473  # debye per e·bohr
    expected = 2 / 3 * found.excitation_energies / EV * (moments**2).sum(axis=1)
    assert found.oscillator_strengths == pytest.approx(expected, abs=1e-6)
    assert not excitations(WATER, HF, 2, spin="triplet").oscillator_strengths.any()


def test_the_continuum_answers_with_its_own_refractive_index() -> None:
    heptane = Solvation(
        model="IEF-PCM", solvent="n-heptane", dielectric=1.9113, optical_dielectric=1.9257
    )
    level = HF.model_copy(update={"solvation": heptane})
    fast, slow = (
        excitations(WATER, level, 1, solvent=way) for way in ("non-equilibrium", "equilibrium")
    )
    assert (fast.surroundings, fast.dielectric) == ("non-equilibrium", 1.9257)
    assert (slow.surroundings, slow.dielectric) == ("equilibrium", 1.9113)
    # nearly equal permittivities, and yet not the same; a continuum of another is further off
    apart = abs(fast.excitation_energies[0] - slow.excitation_energies[0])
    other = heptane.model_copy(update={"optical_dielectric": 1.78})
    far = excitations(WATER, level.model_copy(update={"solvation": other}), 1)
    assert 0 < apart < abs(far.excitation_energies[0] - slow.excitation_energies[0])


def test_an_unstable_ground_state_is_refused() -> None:
    """The unpaired electron of OH may turn about the axis: an excitation of no energy."""
    hydroxyl = ConceptualAtoms(numbers=[8, 1], positions=[[0, 0, 0], [0, 0, 1]], multiplicity=2)
    for response in ("TDA", "TDDFT"):
        with pytest.raises(RecipeError, match="linear radical"):
            excitations(hydroxyl, UHF, 1, response)
    stretched = hydrogen(2.0)
    for response in ("TDA", "TDDFT"):
        with pytest.raises(RecipeError, match="not stable"):
            excitations(stretched, HF, 1, response, "triplet")
    assert excitations(stretched, HF, 1).excitation_energies[0] > 0


@pytest.mark.parametrize(
    ("level", "states", "spin", "said"),
    [
        (HF, 0, "singlet", "at least"),
        (HF, 11, "singlet", "allows 10 single excitations"),
        (UHF, 1, "triplet", "no triplets"),
    ],
)
def test_states_that_cannot_be(level: LevelOfTheory, states: int, spin: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        excitations(WATER, level, states, spin=spin)  # pyright: ignore[reportArgumentType]


CATION = WATER.model_copy(update={"charge": 1, "multiplicity": 2})


@pytest.mark.parametrize("response", ["TDA", "TDDFT"])
@pytest.mark.parametrize(
    ("atoms", "level", "spin", "possible"),
    [
        (WATER, HF, "singlet", 5 * 2),
        (WATER, HF, "triplet", 5 * 2),
        (WATER, UHF, "singlet", 2 * 5 * 2),
        (CATION, UHF, "singlet", 5 * 2 + 4 * 3),
        (hydrogen(0.74), HF, "singlet", 1),
    ],
)
def test_as_many_states_can_be_had_as_are_counted(
    atoms: ConceptualAtoms,
    level: LevelOfTheory,
    spin: StateSpin,
    possible: int,
    response: ResponseName,
) -> None:
    assert single_excitations(atoms, level) == possible
    found = excitations(atoms, level, possible, response, spin)
    assert len(found.excitation_energies) == possible
    check_states(atoms, level, possible, spin)
    with pytest.raises(InputError, match=f"allows {possible} single excitation"):
        check_states(atoms, level, possible + 1, spin)


def test_core_potentials_hold_electrons_that_are_not_excited() -> None:
    """HI in def2-SVP: 28 electrons of iodine are in its core."""
    iodide = ConceptualAtoms(numbers=[53, 1], positions=[[0, 0, 0], [0, 0, 1.6]])
    level = LevelOfTheory(method="HF", basis="def2-SVP", reference="restricted")
    mol = molecule(iodide, level)
    occupied = mol.nelectron // 2
    assert mol.nelectron == 54 - 28
    assert single_excitations(iodide, level) == occupied * (mol.nao - occupied)
    cartesian = level.model_copy(update={"basis": "6-31G*", "spherical": False})
    assert single_excitations(WATER, cartesian) == 5 * (molecule(WATER, cartesian).nao - 5)


def test_too_many_states_are_refused_before_anything_runs(bench: Bench) -> None:
    level = bench.level("HF", "STO-3G")
    before = len(bench.kg.find(Activity))
    with pytest.raises(InputError, match=r"11 excited states .* allows 10 single excitations"):
        bench.run(WATER, level, "optimise", states=11)
    with pytest.raises(InputError, match="HF/STO-3G has no solvent, so that it has no effect"):
        bench.run(WATER, level, "energy", states=1, solvent_response="equilibrium")
    assert len(bench.kg.find(Activity)) == before


@pytest.mark.parametrize(
    ("method", "reference", "response"),
    [("HF", "restricted", "TDA"), ("PBE", "restricted", "TDDFT"), ("HF", "unrestricted", "TDDFT")],
)
def test_states_that_miss_their_equations_are_no_result(
    monkeypatch: pytest.MonkeyPatch, method: str, reference: Any, response: Any
) -> None:
    atoms = WATER if reference == "restricted" else METHYL
    at = resolve_level(method, "STO-3G", reference).level  # pyright: ignore
    seen: list[float] = []
    found = excitation.missed

    def spoiled(td: Any, states: Any) -> Any:
        seen.append(float(found(td, states).max()))
        td.e = td.e + 1e-3
        return found(td, states)

    monkeypatch.setattr(excitation, "missed", spoiled)
    with pytest.raises(NotConvergedError, match="are missed by 1e-03 Eh"):
        excitations(atoms, at, 2, response)
    assert seen[0] < 2e-5
