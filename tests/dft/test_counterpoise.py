"""Interactions with the counterpoise correction, against another program and limits.

Psi4 is version 1.3.2, `energy('hf', bsse_type='cp')` and `'nocp'` with direct integrals and
spherical functions; D. G. A. Smith et al., J. Chem. Phys. 152, 184108 (2020).
"""

from __future__ import annotations

import numpy as np
import pytest

from evals.validation.xtb import Job
from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import Fragment, FragmentEnergy, InteractionEnergy
from ontologies.level import LevelOfTheory
from ontologies.provenance import Part
from ontologies.quantum import SinglePoint
from tests.asking import asked_of
from tests.conftest import Need
from tests.dft.conftest import Bench
from tests.dft.structures import WATER, atoms, rotated, single
from triplestore.errors import InputError, RecipeError
from workflows.dft.graphs.counterpoise import InteractionRequest, InteractionState
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.energy import single_point
from workflows.dft.request.forms import LevelRequest
from workflows.dft.request.fragments import coupling_remark, divided
from workflows.dft.scf.ghosts import fragment_energy

# S22, complex 2: P. Jurečka, J. Šponer, J. Černý, P. Hobza, Phys. Chem. Chem. Phys. 8, 1985 (2006)
WATERS = atoms(
    [8, 1, 1, 8, 1, 1],
    [
        [-1.551007, -0.114520, 0],
        [-1.934259, 0.762503, 0],
        [-0.599677, 0.040712, 0],
        [1.350625, 0.111469, 0],
        [1.680398, -0.373741, -0.758561],
        [1.680398, -0.373741, 0.758561],
    ],
)
HELIUMS = atoms([2, 2], [[0, 0, 0], [0, 0, 3.0]])
LITHIUM_WATER = atoms(
    [3, 8, 1, 1], [[0, 0, 0], [0, 0, 1.85], [0, 0.757, 2.436], [0, -0.757, 2.436]], charge=1
)
HYDROXYL_HELIUM = atoms([8, 1, 2], [[0, 0, 0], [0, 0, 0.97], [0, 0, -2.6]])
IODIDE_HELIUM = atoms([2, 53], [[0, 0, 0], [0, 0, 3.0]], charge=-1)


def interaction(
    bench: Bench,
    given: ConceptualAtoms,
    basis: str,
    method: str = "HF",
    level: dict | None = None,
    **asked: object,
) -> InteractionState:
    wanted = LevelRequest(method=method, basis=basis, **(level or {}))
    request = InteractionRequest.model_validate(asked)
    finish = bench.loop.call(
        lambda: asked_of("counterpoise", given, request, wanted, bench.executor)
    )
    assert finish.status == "finished", finish.message
    return finish.state


def energy(bench: Bench, given: ConceptualAtoms, basis: str, **more: object) -> InteractionEnergy:
    found = interaction(bench, given, basis, **more).energy  # pyright: ignore
    assert found is not None
    return found


def resolved(method: str, basis: str, reference: str = "restricted", **more) -> LevelOfTheory:
    return resolve_level(method, basis, reference, **more).level  # pyright: ignore


@pytest.mark.parametrize(
    ("given", "basis", "asked", "corrected", "uncorrected"),
    [
        (HELIUMS, "6-31G", {}, 2.2327312e-05, 1.6578978e-06),
        (HELIUMS, "cc-pVDZ", {}, 2.2054261e-05, 8.653837e-07),
        (
            atoms([2, 2, 2], [[0, 0, 0], [0, 0, 3], [0, 2.5, 1.5]]),
            "6-31G",
            {},
            9.0999595e-05,
            1.41149843e-05,
        ),
        (WATERS, "STO-3G", {}, -0.0022329132852, -0.0088137201637),
        (WATERS, "6-31G", {}, -0.0102798640419, -0.0119312204057),
        (
            LITHIUM_WATER,
            "STO-3G",
            {"fragments": "1 2-4", "fragment_charges": "1,0"},
            -0.0749344270359,
            -0.1233230822514,
        ),
        (HYDROXYL_HELIUM, "6-31G", {}, 0.000872364607, 0.000614785968),
    ],
    ids=["He2", "He2 cc-pVDZ", "He3", "(H2O)2 STO-3G", "(H2O)2", "Li+ H2O", "OH He"],
)
def test_hartree_fock_agrees_with_psi4(
    bench: Bench,
    given: ConceptualAtoms,
    basis: str,
    asked: dict,
    corrected: float,
    uncorrected: float,
) -> None:
    found = energy(bench, given, basis, **asked)
    assert found.corrected == pytest.approx(corrected, abs=2e-8)
    assert found.uncorrected == pytest.approx(uncorrected, abs=2e-8)
    error = found.superposition_error
    assert error == pytest.approx((found.corrected or 0) - found.uncorrected)
    assert (error or 0) > 0  # variational: more functions, lower energy


def test_a_functional_agrees_with_psi4_within_the_grids(bench: Bench) -> None:
    """With 99 radial and 590 angular points: 1.9000302 and 1.4634066 mEh in PBE/6-31G."""
    near = atoms([2, 2], [[0, 0, 0], [0, 0, 2.0]])
    found = energy(bench, near, "6-31G", method="PBE")
    assert found.corrected == pytest.approx(1.90003e-3, abs=1e-6)
    assert found.uncorrected == pytest.approx(1.46341e-3, abs=1e-6)


def test_the_interaction_is_stored_with_its_parts_and_remembered(bench: Bench) -> None:
    state = interaction(bench, WATERS, "STO-3G")
    found = state.energy
    assert found is not None
    assert bench.kg.pull(InteractionEnergy, found.iri) == found
    whole = found.whole.load(bench.kg)
    assert isinstance(whole, SinglePoint)
    assert whole.atoms == WATERS
    own = [link.load(bench.kg) for link in found.separate]
    among = [link.load(bench.kg) for link in found.with_ghosts]
    assert all(isinstance(one, FragmentEnergy) for one in among)
    assert [one.atoms.formula for one in own] == ["H2O", "H2O"]
    assert found.corrected == pytest.approx(whole.energy - sum(one.energy for one in among))
    assert found.uncorrected == pytest.approx(whole.energy - sum(one.energy for one in own))
    again = interaction(bench, WATERS, "STO-3G")
    assert all(answer.reused for answer in again.parts.values())
    assert len(bench.kg.find(Part, part="fragment 2 with ghosts")) >= 2


def test_a_turned_and_renumbered_copy_is_remembered(bench: Bench) -> None:
    """The second molecule comes first in the copy: a fragment is known by its atoms."""
    first = interaction(bench, WATERS, "STO-3G").energy
    moved = rotated(WATERS, 0.7)
    order = [4, 3, 5, 1, 0, 2]
    copy = atoms(moved.numbers[order].tolist(), (moved.positions[order] + 1.5).tolist())
    state = interaction(bench, copy, "STO-3G")
    assert first is not None
    assert state.energy is not None
    assert all(answer.reused for answer in state.parts.values())
    assert state.energy.corrected == pytest.approx(first.corrected, abs=1e-12)
    one = state.parts["fragment 1 with ghosts"].result
    assert one.fragment.members.tolist() == [True] * 3 + [False] * 3
    assert np.abs(one.supermolecule.positions - copy.positions).max() < 1e-5


def test_fragments_far_apart_do_not_interact(bench: Bench) -> None:
    far = atoms([2, 2], [[0, 0, 0], [0, 0, 40.0]])
    found = energy(bench, far, "6-31G")
    assert found.corrected == pytest.approx(0, abs=1e-9)
    assert found.superposition_error == pytest.approx(0, abs=1e-9)


def test_open_shells_have_their_reference(bench: Bench) -> None:
    state = interaction(bench, HYDROXYL_HELIUM, "6-31G")
    levels = [state.level, *(level for _, level in state.fragments)]
    references = [level.reference for level in levels if isinstance(level, LevelOfTheory)]
    assert references == ["unrestricted", "unrestricted", "restricted"]
    assert state.parts["fragment 1 with ghosts"].result.spin_squared > 0.75
    assert state.parts["fragment 2 with ghosts"].result.spin_squared is None
    assert state.remarks == ()


def test_ghosts_have_no_core_potential() -> None:
    """Iodine's potential would push electrons of helium away; its functions can only help."""
    level = resolved("HF", "def2-SVP")
    helium, iodide = divided(IODIDE_HELIUM, charges=(0, -1))
    among = fragment_energy(IODIDE_HELIUM, level, helium)
    alone = single_point(single(2), level).energy
    assert alone - 5e-3 < among.energy < alone
    # 28 of 54 electrons are in the potential of the real one
    assert -300 < fragment_energy(IODIDE_HELIUM, level, iodide).energy < -295


def test_a_potential_of_one_element_is_on_its_real_atoms_only() -> None:
    """Both fragments hold iodine, and the pair is symmetric."""
    pair = atoms([1, 53, 53, 1], [[0, 0, -1.6], [0, 0, 0], [0, 0, 4.5], [0, 0, 6.1]])
    level = resolved("HF", "def2-SVP")
    one, two = (fragment_energy(pair, level, part).energy for part in divided(pair))
    assert one == pytest.approx(two, abs=1e-8)
    alone = single_point(divided(pair)[0].atoms_of(pair), level).energy
    assert alone - 5e-3 < one < alone


@pytest.mark.parametrize("kind", ["D3(BJ)", "D4"])
def test_the_dispersion_of_ghosts_does_not_count(kind: str) -> None:
    level = resolved("PBE", "STO-3G", dispersion=kind, grid_level=0)
    part = divided(WATERS)[0]
    among = fragment_energy(WATERS, level, part)
    alone = single_point(part.atoms_of(WATERS), level)
    assert among.dispersion_energy == pytest.approx(alone.dispersion_energy, abs=1e-14)
    assert among.dispersion_energy is not None
    assert among.dispersion_energy < -1e-5
    bare = fragment_energy(WATERS, level.model_copy(update={"dispersion": None}), part)
    assert bare.dispersion_energy is None
    assert among.energy == pytest.approx(bare.energy + among.dispersion_energy, abs=1e-9)


def test_densities_are_fitted_about_ghosts_too() -> None:
    """Fitting errors of this set are some µEh an atom, whatever the orbital basis."""
    fitted = resolved("HF", "6-31G", density_fitting=True)
    exact = resolved("HF", "6-31G")
    part = divided(WATERS)[1]
    one, two = (fragment_energy(WATERS, level, part).energy for level in (fitted, exact))
    assert 0 < abs(one - two) < 1e-4
    alone = single_point(part.atoms_of(WATERS), fitted).energy
    gain = single_point(part.atoms_of(WATERS), exact).energy - two
    assert alone - one == pytest.approx(gain, abs=1e-5)


def test_a_fragment_without_electrons_has_its_nuclei_only() -> None:
    given = atoms([1, 2], [[0, 0, 0], [0, 0, 1.5]], charge=1)
    proton, helium = divided(given, charges=(1, 0))
    level = resolved("HF", "6-31G")
    assert fragment_energy(given, level, proton).energy == pytest.approx(0.0, abs=1e-12)
    assert fragment_energy(given, level, helium).energy < single_point(single(2), level).energy


def test_a_solvent_is_refused_before_anything_runs(bench: Bench) -> None:
    with pytest.raises(InputError, match="gas phase"):
        interaction(bench, HELIUMS, "6-31G", level={"solvent": "water"})
    level = resolved("HF", "STO-3G", solvent="water")
    with pytest.raises(InputError, match="what cavity"):
        fragment_energy(HELIUMS, level, divided(HELIUMS)[0])


def test_tight_binding_needs_no_correction_and_agrees_with_xtb(need: Need) -> None:
    """The dimer of water, in the gas phase and in water."""
    need("xtb")
    parts = [WATERS, *(one.atoms_of(WATERS) for one in divided(WATERS))]
    with Grafico("memory:") as session:
        for solvent in (None, "water"):
            jobs = (
                Job(one, "GFN2-xTB", "ALPB", "water") if solvent else Job(one, "GFN2-xTB")
                for one in parts
            )
            whole, first, second = (job.run()["energy"] for job in jobs)
            found = session.interaction(WATERS, method="GFN2-xTB", solvent=solvent)
            assert found.uncorrected == pytest.approx(whole - first - second, abs=3e-7)
            assert found.corrected is None
            assert found.energy.with_ghosts == ()


def test_a_part_that_fails_is_named(bench: Bench) -> None:
    """Helium as a triplet does not fit into STO-3G."""
    with pytest.raises(RecipeError, match=r"fragment 2: .*do not fit"):
        interaction(bench, HELIUMS, "STO-3G", fragment_multiplicities=(1, 3))


# --- dividing ------------------------------------------------------------------------------------


def labels(*args: object, **more: object) -> list[str]:
    return [part.label for part in divided(*args, **more)]  # pyright: ignore


def test_fragments_are_found_by_bonds_or_said() -> None:
    assert labels(WATERS) == ["1-3", "4-6"]
    assert labels(HELIUMS) == ["1", "2"]
    assert labels(WATERS, "1-3 4-6") == ["1-3", "4-6"]
    assert labels(WATERS, "6,4-5; 1,3,2") == ["4-6", "1-3"]
    assert labels(WATERS, "1-3 4 5,6") == ["1-3", "4", "5-6"]


def test_charges_and_multiplicities_go_to_their_fragments() -> None:
    ion, water = divided(LITHIUM_WATER, "1 2-4", (1, 0))
    assert (ion.charge, ion.multiplicity, water.charge, water.multiplicity) == (1, 1, 0, 1)
    assert ion.atoms_of(LITHIUM_WATER).electrons == 2
    radical, helium = divided(HYDROXYL_HELIUM)
    assert (radical.multiplicity, helium.multiplicity) == (2, 1)
    assert [part.multiplicity for part in divided(HYDROXYL_HELIUM, "", (), (4, 1))] == [4, 1]


CRYSTAL = atoms([2], [[0, 0, 0]], cell=(4 * np.eye(3)).tolist(), periodic=[True] * 3)


@pytest.mark.parametrize(
    ("given", "asked", "words"),
    [
        (single(2), {}, "a single atom"),
        (WATER, {}, "bonded to each other by their distances.*1-2 3"),
        (WATER, {"text": "1-3"}, "all atoms are in it"),
        (CRYSTAL, {}, "periodic"),
        (WATERS, {"text": "1-3 3-6"}, "in several of them: 3"),
        (WATERS, {"text": "1-2 4-5"}, "in none of them: 3, 6"),
        (WATERS, {"text": "1-3 4-7"}, "'4-7' names no atoms: they are counted from 1 to 6"),
        (WATERS, {"text": "0-2 3-6"}, "'0-2' names no atoms"),
        (WATERS, {"text": "3-1 4-6"}, "'3-1' names no atoms"),
        (WATERS, {"text": "1-3 oxygen"}, "'oxygen' names no atoms"),
        (WATERS, {"charges": (1, 0)}, r"add up to \+1, but the molecule has \+0"),
        (LITHIUM_WATER, {"text": "1 2-4"}, r"add up to \+0, but the molecule has \+1"),
        (WATERS, {"charges": (0,)}, "there are 2 fragments: 1-3, 4-6"),
        (WATERS, {"multiplicities": (1, 1, 1)}, "multiplicities of 3 fragments"),
        (WATERS, {"multiplicities": (2, 1)}, "multiplicity 2 cannot be"),
        (HELIUMS, {"charges": (3, -3)}, "takes more electrons"),
    ],
)
def test_fragments_that_cannot_be_are_refused(
    given: ConceptualAtoms, asked: dict, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        divided(given, **asked)


@pytest.mark.parametrize(
    ("whole", "parts", "couple"),
    [
        (1, (1, 1), True),
        (3, (3, 1), True),
        (1, (2, 2), True),
        (3, (2, 2), True),
        (3, (1, 1), False),
        (1, (3, 1), False),
        (1, (3, 2, 2), True),
        (2, (4, 2), False),
        (5, (3, 3), True),
        (2, (2, 2, 2), True),
    ],
)
def test_spins_that_cannot_couple_are_remarked(
    whole: int, parts: tuple[int, ...], couple: bool
) -> None:
    """Vector addition: from |S1 − S2| to S1 + S2."""
    masks = np.eye(3, dtype=bool)
    three = atoms([8, 8, 8], [[0, 0, 0], [0, 0, 4], [0, 4, 0]], charge=(whole + 1) % 2)
    three = three.model_copy(update={"multiplicity": whole})
    fragments = [
        Fragment(members=mask, multiplicity=spin) for mask, spin in zip(masks, parts, strict=False)
    ]
    assert (coupling_remark(three, fragments) == "") == couple


def test_the_remark_on_coupling_stands_in_the_result(bench: Bench) -> None:
    given = HELIUMS.model_copy(update={"multiplicity": 3})
    found = energy(bench, given, "6-31G")
    assert any("do not couple to 3" in remark for remark in found.remarks)


def test_a_fragment_of_another_structure_is_refused() -> None:
    with pytest.raises(InputError, match="3 atoms"):
        divided(HELIUMS)[0].atoms_of(WATER)
    with pytest.raises(ValueError, match="at least one atom"):
        Fragment(members=np.zeros(2, bool))
