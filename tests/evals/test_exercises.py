"""What judges the exercises rejects what is wrong, and accepts what only looks otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
import pytest
from ase.data import atomic_numbers
from scipy.spatial.transform import Rotation

from evals import sets
from evals.exercises._exercise import Done, Referenced, Wanted, _report, _told, dataset
from evals.exercises._molecules import distance
from evals.exercises._numeric import (
    ASPECTS,
    PUBLISHED,
    STRICT,
    UNKNOWN,
    Tolerances,
    judged,
    score,
)
from evals.exercises._references import (
    REFERENCES,
    known,
    names,
    parts,
    reference,
    start,
)
from grafico import Grafico
from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Dispersion, OwnBasisSet, Solvation

pytestmark = pytest.mark.xdist_group("exercise_reports")  # its molecules are computed once

Objects: TypeAlias = list[Any]
Change: TypeAlias = Callable[[Objects], Objects]

SMALL = [one for one in names("small") if reference(one).gap is not None]
"""What is analysed, by Psi4."""

RELAXED, ANALYSED, MODES = range(3)
"""Places of the results of formic acid, those of formaldehyde follow."""

ACID, ALDEHYDE = reference("formic_acid"), reference("formaldehyde")


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Objects]:
    """Results of formic acid and of formaldehyde, from the files of the exercises."""
    with Grafico(tmp_path_factory.mktemp("right"), threads_per_calculation=1) as session:
        found: Objects = []
        for name in ("formic_acid", "formaldehyde"):
            level = {"method": "HF", "basis": "def2-SVP"}
            more = {"task": "frequencies", "analysis": True}
            done = session.run(start(name), **level, **more)
            kinds = ("Optimisation", "WavefunctionAnalysis", "FrequencyAnalysis")
            every = {type(one.result).__name__: one.result for one in done.answers}
            found += [every[kind] for kind in kinds]
        yield found


def wrong(objects: Sequence[GraphModel], tolerances: Tolerances = PUBLISHED) -> set[str]:
    """Return the aspects of formic acid, vibrations included, that are judged wrong."""
    return {one.name for one in judged(objects, [ACID], tolerances, verified=True) if one.wrong}


def of(place: int, **changes: Any) -> Change:
    """Return what changes fields of one result: to a value, or by what is done to the old one."""

    def change(objects: Objects) -> Objects:
        old = objects[place]
        new = {
            name: value(getattr(old, name)) if callable(value) else value
            for name, value in changes.items()
        }
        return [*objects[:place], old.model_copy(update=new), *objects[place + 1 :]]

    return change


def everywhere(atoms: Callable[[ConceptualAtoms], ConceptualAtoms]) -> Change:
    """Return what changes the structure of formic acid in all of its results."""

    def change(objects: Objects) -> Objects:
        acid = [one.model_copy(update={"atoms": atoms(one.atoms)}) for one in objects[:3]]
        return [*acid, *objects[3:]]

    return change


def moved(positions: Callable[[Any], Any]) -> Change:
    """Return what moves the atoms of formic acid."""
    return everywhere(lambda atoms: atoms.moved_to(positions(atoms.positions)))


def stated(charge: int, multiplicity: int) -> Change:
    """Return what gives formic acid another state."""
    return everywhere(
        lambda one: ConceptualAtoms(
            numbers=one.numbers, positions=one.positions, charge=charge, multiplicity=multiplicity
        )
    )


def renumbered(seed: int) -> Change:
    """Return what numbers the atoms in another order."""

    def change(one: ConceptualAtoms) -> ConceptualAtoms:
        order = np.random.default_rng(seed).permutation(len(one.numbers))
        return ConceptualAtoms(
            numbers=one.numbers[order], positions=one.positions[order], charge=0, multiplicity=1
        )

    return everywhere(change)


def level(**changes: Any) -> Change:
    """Return what changes the level of the analysis."""
    return of(ANALYSED, level=lambda old: old.model_copy(update=changes))


def turned(seed: int) -> Any:
    return Rotation.from_quat(np.random.default_rng(seed).normal(size=4)).as_matrix()


def other_conformer(positions: Any) -> Any:
    """Turn the hydrogen of the hydroxyl group to the other side of the C-O bond."""
    symbols = list(start("formic_acid").symbols)
    carbon = symbols.index("C")
    oxygens = [n for n, one in enumerate(symbols) if one == "O"]
    hydrogens = [n for n, one in enumerate(symbols) if one == "H"]
    apart = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    acidic = min(hydrogens, key=lambda n: apart[n, oxygens].min())
    hydroxyl = min(oxygens, key=lambda n: apart[n, acidic])
    axis = positions[hydroxyl] - positions[carbon]
    turn = Rotation.from_rotvec(np.pi * axis / np.linalg.norm(axis)).as_matrix()
    new = positions.copy()
    new[acidic] = positions[hydroxyl] + turn @ (positions[acidic] - positions[hydroxyl])
    return new


def stretched(positions: Any) -> Any:
    """Move the carbon 0.4 Å away from its oxygens."""
    new = positions.copy()
    new[list(start("formic_acid").symbols).index("C")] += [0.0, 0.4, 0.0]
    return new


EV, KCAL, BOHR = 27.211386, 627.5095, 1.8897261

FAULTS: dict[str, tuple[Change, str]] = {
    "another functional": (level(method="B3LYP"), "level"),
    "another basis set": (level(basis="def2-TZVP"), "level"),
    "six d functions": (level(spherical=False), "level"),
    "a solvent": (
        level(solvation=Solvation(model="C-PCM", solvent="water", dielectric=78.3553)),
        "level",
    ),
    "a correction for dispersion": (
        level(dispersion=Dispersion(kind="D3(BJ)", functional="hf")),
        "level",
    ),
    "a basis set of one's own": (level(own_basis=OwnBasisSet(basis_functions="H S")), "level"),
    "a cation": (stated(1, 2), "state"),
    "a triplet": (stated(0, 3), "state"),
    "energy too high": (of(ANALYSED, energy=lambda old: old + 0.02), "energy"),
    "energy too low": (of(ANALYSED, energy=lambda old: old - 0.02), "energy"),
    "energy in eV": (of(ANALYSED, energy=lambda old: old * EV), "energy"),
    "energy in kcal/mol": (of(ANALYSED, energy=lambda old: old * KCAL), "energy"),
    "energy of another sign": (of(ANALYSED, energy=lambda old: -old), "energy"),
    "energy that is no number": (of(ANALYSED, energy=float("nan")), "energy"),
    "bonds too long": (moved(lambda old: old * 1.2), "structure"),
    "coordinates in bohr": (moved(lambda old: old * BOHR), "structure"),
    "another conformer": (moved(other_conformer), "structure"),
    "an atom out of place": (moved(stretched), "structure"),
    "another molecule": (lambda old: old[3:], "structure"),
    "no analysis": (lambda old: [old[RELAXED], old[MODES]], "energy"),
    "nothing": (lambda _: [], "energy"),
    "structure as built": (lambda old: old[1:], "converged"),
    "steps ran out": (of(RELAXED, max_gradient=0.02), "converged"),
    "relaxed at another level": (
        of(RELAXED, level=lambda old: old.model_copy(update={"basis": "STO-3G"})),
        "converged",
    ),
    "SCF without an end": (of(ANALYSED, converged=False), "converged"),
    "no dipole": (of(ANALYSED, dipole=np.zeros(3)), "dipole"),
    "dipole too large": (of(ANALYSED, dipole=lambda old: old * 1.3), "dipole"),
    "dipole in atomic units": (of(ANALYSED, dipole=lambda old: old / 2.541746), "dipole"),
    "gap in eV": (of(ANALYSED, gap=lambda old: old * EV), "gap"),
    "gap too small": (of(ANALYSED, gap=lambda old: old - 0.12), "gap"),
    "no gap": (of(ANALYSED, gap=None), "gap"),
    "no symmetry": (of(ANALYSED, point_group="C1"), "point group"),
    "too much symmetry": (of(ANALYSED, point_group="C2v"), "point group"),
    "an imaginary mode": (of(MODES, wavenumbers=lambda old: old - 900.0), "no imaginary mode"),
    "no vibrations": (lambda old: old[:2], "no imaginary mode"),
    "vibrations of another structure": (
        of(MODES, atoms=lambda old: old.moved_to(other_conformer(old.positions))),
        "no imaginary mode",
    ),
    "a wrong one after the right one": (
        lambda old: [*old, *level(basis="STO-3G")(old)[ANALYSED:MODES]],
        "level",
    ),
}

CLEAN: dict[str, Change] = {
    **{f"turned {n}": moved(lambda old, n=n: old @ turned(n).T) for n in range(8)},
    **{f"renumbered {n}": renumbered(n) for n in range(8)},
    **{f"moved {n}": moved(lambda old, n=n: old + n * 3.7) for n in range(1, 4)},
    "coordinates of four decimals": moved(lambda old: np.round(old, 4)),
    "energy of six decimals": of(ANALYSED, energy=lambda old: round(old, 6)),
    "gap of four decimals": of(ANALYSED, gap=lambda old: round(old, 5)),
    "dipole of three decimals": of(ANALYSED, dipole=lambda old: np.round(old, 3)),
    "dipole the other way round": of(ANALYSED, dipole=lambda old: -old),
    "method in small letters": lambda old: [
        *(
            one.model_copy(update={"level": one.level.model_copy(update={"method": "hf"})})
            for one in old[:3]
        ),
        *old[3:],
    ],
    "basis set in capitals": lambda old: [
        *(
            one.model_copy(update={"level": one.level.model_copy(update={"basis": "DEF2-SVP"})})
            for one in old[:3]
        ),
        *old[3:],
    ],
    "a mode of rounding": of(MODES, wavenumbers=lambda old: np.append(old, -0.4)),
    "the other order": lambda old: old[::-1],
    "each twice": lambda old: old + old,
    "alone": lambda old: old[:3],
    "a wrong one that was mended": lambda old: [level(basis="STO-3G")(old)[ANALYSED], *old],
    "steps that ran out and went on": lambda old: [of(RELAXED, max_gradient=0.02)(old)[0], *old],
}


def test_what_is_right_is_right(right: Objects) -> None:
    for tolerances in (PUBLISHED, STRICT):
        found = judged(right, [ACID, ALDEHYDE], tolerances, verified=True)
        assert not [one for one in found if one.wrong]
        assert len(found) == 2 * (len(ASPECTS) + 1)
        assert score(found) == 1


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_rejected(right: Objects, name: str) -> None:
    change, aspect = FAULTS[name]
    assert aspect in wrong(change(right))


@pytest.mark.parametrize("name", CLEAN)
def test_what_only_looks_otherwise_is_accepted(right: Objects, name: str) -> None:
    for tolerances in (PUBLISHED, STRICT):
        assert wrong(CLEAN[name](right), tolerances) == set()


def test_there_are_enough_of_both() -> None:
    assert min(len(FAULTS), len(CLEAN)) >= 30


@pytest.mark.parametrize(
    ("change", "near"),
    [
        (of(ANALYSED, energy=lambda old: old + 0.009), "energy"),
        (of(ANALYSED, gap=lambda old: old + 0.09), "gap"),
        (of(ANALYSED, dipole=lambda old: old * 1.03), "dipole"),
        (moved(lambda old: old * 1.04), "structure"),
    ],
)
def test_what_the_article_lets_pass_is_not_strictly_right(
    right: Objects, change: Change, near: str
) -> None:
    assert wrong(change(right)) == set()
    assert wrong(change(right), STRICT) == {near}


def test_one_of_two_molecules_is_half(right: Objects) -> None:
    assert score(judged(right[:3], [ACID, ALDEHYDE], PUBLISHED)) == 0.5


def test_an_enantiomer_is_another_molecule_and_a_stranger_none() -> None:
    places = np.array(
        [[0, 0, 0], [1.09, 0, 0], [-0.4, 1.3, 0], [-0.6, -0.8, 1.4], [-0.7, -0.9, -1.6]]
    )
    one = ConceptualAtoms(numbers=[6, 1, 9, 17, 35], positions=places, multiplicity=1)
    mirrored = one.moved_to(places * [1, 1, -1])
    apart = distance(one, mirrored)
    assert apart is not None
    assert apart > PUBLISHED.distance
    assert distance(one, one.moved_to(places @ turned(3).T)) == pytest.approx(0, abs=1e-6)
    carbene = ConceptualAtoms(  # HCOH, where formaldehyde has both hydrogens at carbon
        numbers=[6, 8, 1, 1], positions=[[0, 0, 0], [1.3, 0, 0], [-0.5, 1, 0], [1.6, 0.9, 0]]
    )
    assert distance(carbene, ALDEHYDE.atoms) is None


@pytest.mark.parametrize("name", SMALL)
def test_a_reference_is_a_minimum_of_the_molecule_that_its_file_has(name: str) -> None:
    known, begun = reference(name), start(name)
    assert known.lowest is not None
    assert known.lowest > 50
    assert "Psi4" in known.source
    assert (known.charge, 1) == (begun.charge, begun.multiplicity)
    apart = distance(begun, known.atoms)
    assert apart is not None
    assert apart < 0.6
    assert {atomic_numbers[one] for one in known.symbols} == set(begun.numbers)


@pytest.mark.parametrize(
    ("name", "group"),
    # textbooks: VSEPR, and the planes of formic acid and of the fluorophosphate
    [
        ("formaldehyde", "C2v"),
        ("formic_acid", "Cs"),
        ("formate", "C2v"),
        ("methylammonium", "C3v"),
        ("chlorine_trifluoride", "C2v"),
        ("nitrogen_trifluoride", "C3v"),
        ("sulfur_tetrafluoride", "C2v"),
        ("tetrafluoroborate", "Td"),
        ("perchlorate", "Td"),
    ],
)
def test_the_symmetry_of_references_is_that_of_textbooks(name: str, group: str) -> None:
    assert reference(name).point_group == group


def test_every_case_names_what_is_there() -> None:
    topics = list(sets.expanded([sets.EXERCISES]))
    for one in (case for topic in topics for case in known(topic)):
        for name in one["metadata"]["molecules"]:
            assert parts(name)[0] == reference(name).molecule
            assert one["profile"] == "full" or reference(name).source
        for name in one["inputs"].get("files", ()):
            assert start(name)
            assert f"{name}.xyz" in one["inputs"]["text"]
        assert Wanted(**one["metadata"]).rubric
    for topic in topics:
        for profile in ("small", "full"):
            metadata = (one.metadata for one in dataset(topic, profile).cases)
            assert [one and one.level for one in metadata] == [1, 2]
    kept = {one.stem for one in REFERENCES.glob("*.json")}
    assert kept <= {*names("small"), *names("full")}


def test_what_no_program_has_found_yet_neither_counts_nor_passes() -> None:
    cases = {one.name: one for one in dataset("inorganic", "full").cases}
    wanted = cases["inorganic 1"].metadata
    assert wanted is not None
    hexacarbonyl, fluoride, _ = map(reference, wanted.molecules)
    assert not hexacarbonyl.source
    assert fluoride.source
    found = judged([], [hexacarbonyl, fluoride], PUBLISHED)
    assert [one.name for one in found] == [*UNKNOWN[:3], *ASPECTS]

    def told(of: Wanted) -> Any:
        context: Any = SimpleNamespace(metadata=of)
        return Referenced().evaluate(context)

    assert "chromium_hexacarbonyl" in told(wanted)["referenced"].reason
    assert not told(wanted)["referenced"].value
    assert told(wanted.model_copy(update={"molecules": ("chlorine_trifluoride",)})) == {}
    total = cases_of("carbocations")[0].results[2]
    assert not total.known
    assert not list(total.judged([], PUBLISHED))


def cases_of(topic: str) -> list[Wanted]:
    return [Wanted(**one["metadata"]) for one in known(topic) if one["profile"] == "full"]


def test_only_what_tools_told_counts_and_the_last_is_last() -> None:
    def part(kind: str, text: str) -> dict[str, Any]:
        return {"parts": [{"part_kind": kind, "content": text}]}

    messages = [
        part("user-prompt", "g:id/WavefunctionAnalysis/asked"),
        part("tool-return", "g:id/WavefunctionAnalysis/a g:id/Optimisation/b"),
        part("text", "g:id/WavefunctionAnalysis/invented"),
        part("tool-return", "g:id/WavefunctionAnalysis/c g:id/WavefunctionAnalysis/a"),
    ]
    told = [one.rpartition("/")[2] for one in _told(json.dumps(messages))]
    assert told == ["b", "c", "a"]


def test_a_report_has_the_values_that_were_asked_for(right: Objects) -> None:
    found = right[ANALYSED]
    written = [f"{abs(one):.4f}" for one in found.mulliken_charges]
    dipole = float(np.linalg.norm(found.dipole))
    whole = [f"{found.energy:.6f} Eh", f"{dipole:.3f} D", f"{found.gap:.5f} Eh", "Cs", *written]
    for lacks in range(len(whole)):
        page = " ".join([*whole[:lacks], *whole[lacks + 1 :]])
        there = lacks > 0  # without its energy it is a report on nothing
        assert _report(Done("", right, [page], []), ACID)[0] is there
        if whole.count(whole[lacks]) == 1:
            assert not _report(Done("", right, [page], []), ACID)[1], whole[lacks]
    assert _report(Done("", right, ["other", " ".join(whole)], []), ACID) == (True, True)
