"""Clusters of a molecule with solvent molecules: energies, numbering, what is refused and told."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evals.validation.xtb import Job
from grafico import Grafico
from ogm import Link
from ontologies.alignment import kabsch
from ontologies.atoms import ConceptualAtoms
from ontologies.clusters import SolventCluster
from ontologies.conformers import ConformerEnsemble
from ontologies.connectivity import connectivity
from ontologies.factors import HARTREE
from ontologies.quantum import EnergyResult
from tests.conftest import Need
from tests.dft.structures import WATER
from triplestore.errors import ComponentError, InputError, RecipeError
from workflows.cluster.compare import compared
from workflows.cluster.packing import grow, pack, together
from workflows.conformer.ensemble import Computed
from workflows.conformer.subject import ENSEMBLE
from workflows.molecule.embedding import embed
from workflows.tightbinding.levels import resolve_level

KCAL = HARTREE["kcal/mol"]

QUICK: dict[str, Any] = {"workflow": "clusters", "seeds": 2, "picoseconds": 1.0}

STAND_IN = """#!{python}
# A stand-in for CREST, which is not there: it is NOT CREST. It takes the command lines of cluster
# growth and of the search for complexes, and writes their files, from a geometry beside it.
import sys
from pathlib import Path
print("       Version 3.0.2, Sun, 25 August 20:02:44, 08/25/2024")
if "--version" not in sys.argv:
    home, grown = Path({home!r}), Path("grow/cluster_optimized.xyz")
    with open(home / "words", "a") as words:
        print(*sys.argv[1:], file=words)
    lines = (home / "cluster.xyz").read_text().splitlines()
    if "--qcg" in sys.argv:
        grown.parent.mkdir()
        lines[1] = " energy: -15.204213501982 gnorm: 0.000623131190 xtb: 6.7.1 (edcfbbe)"
        grown.write_text("\\n".join(lines))
    else:
        lines[1] = "        -15.20421350"
        Path("crest_conformers.xyz").write_text("\\n".join(lines))
"""

OTHER_XTB = "#!/bin/sh\necho '   * xtb version {version} (edcfbbe) compiled by x on 2024-07-23'\n"


def of(session: Grafico, kind: type) -> object:
    return next(iter(session.kg.find(kind)))


def test_two_waters_are_bound_as_in_the_literature_and_as_the_program_xtb_says(need: Need):
    """The dimer is bound by 5.02 kcal/mol, its oxygen atoms 2.91 Å apart.

    Sources: P. Jurečka, J. Šponer, J. Černý, P. Hobza, Phys. Chem. Chem. Phys. 8, 1985 (2006),
    S22; GFN2-xTB is off by 0.5 kcal/mol or so for such pairs.
    """
    need("xtb")
    with Grafico(store="memory:") as session:
        done = session.run("water", solvent="O", count=1, **QUICK)
        assert done.status == "finished"
        found = of(session, SolventCluster)
    assert isinstance(found, SolventCluster)
    assert KCAL * found.association_energy == pytest.approx(-5.02, abs=0.7)
    pair = found.ensemble.lowest.atoms
    assert np.linalg.norm(pair.positions[0] - pair.positions[3]) == pytest.approx(2.9, abs=0.1)
    theirs = [float(Job(one).run()["energy"]) for one in (pair,)]
    assert found.ensemble.lowest.energy == pytest.approx(theirs[0], abs=1e-6)
    alone = Job(found.solvent_molecule, task="--opt vtight").run()
    assert found.solvent_energy == pytest.approx(float(alone["energy"]), abs=1e-5)


def test_the_solute_keeps_its_numbers_and_the_ensemble_is_stored(need: Need):
    need("xtb")
    with Grafico(store="memory:") as session:
        done = session.run("C=O", solvent="methanol", count=2, **QUICK)
        assert done.status == "finished"
        found = of(session, SolventCluster)
        assert isinstance(found, SolventCluster)
        assert session.kg.pull(ConformerEnsemble, found.ensemble.iri) == found.ensemble
        again = session.run("C=O", solvent="methanol", count=2, **QUICK)
        assert again.reused
        for iri in (found.iri, done.run):
            assert ENSEMBLE.stored_object(session.kg, iri) == found.ensemble
    for one in found.ensemble.conformers:
        expected = [
            *found.solute.numbers,
            *found.solvent_molecule.numbers,
            *found.solvent_molecule.numbers,
        ]
        assert one.atoms.numbers.tolist() == expected
        parts = connectivity(one.atoms).molecules
        assert [len(part) for part in parts] == [4, 6, 6]
    energies = [one.energy for one in found.ensemble.conformers]
    assert energies == sorted(energies)
    assert sum(one.weight for one in found.ensemble.conformers) == pytest.approx(1.0)
    assert found.association_energy < 0
    assert "xtb" in found.engine


def test_without_other_programs_it_is_said_that_clusters_are_relaxed_as_placed(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("PATH", "/nonexistent")
    with Grafico(store="memory:") as session:
        done = session.run("water", solvent="water", count=2, **QUICK)
        assert done.status == "finished"
        found = of(session, SolventCluster)
        assert isinstance(found, SolventCluster)
        assert any("xtb is not on the path" in one for one in found.ensemble.remarks)
        assert found.engine == "2 placed at random"
        with pytest.raises(ComponentError, match="CREST is not on the path"):
            session.run("water", solvent="water", count=2, engine="CREST", **QUICK)


@pytest.mark.parametrize(
    ("molecule", "settings", "words"),
    [
        ("water", {"count": 0}, "count"),
        ("water", {"count": -3}, "count"),
        ("water", {"count": 10**9}, "count"),
        ("CCCCCCCCCC", {"count": 200, "solvent": "CCCC"}, "up to 600 are placed"),
        ("water", {"solvent": "[Na+]"}, "has the charge"),
        ("[H+]", {}, "a bare nucleus is nothing that it was made for"),
        ("[H-]", {}, "hydride is nothing that it was made for"),
        ("water", {"solvent": "[Hg]"}, "it holds a metal"),
        ("water", {"solvent": "O.CO"}, "several molecules"),
        ("water", {"solvent": "[O]"}, "multiplicity"),
        ("water", {"solvent": ""}, "no solvent is named"),
        ("water", {"solvent": "phlogiston"}, "the solvent 'phlogiston'"),
        ("water", {"continuum": "heptane"}, "has parameters for"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    molecule: str, settings: dict[str, Any], words: str
):
    said: dict[str, Any] = {**QUICK, "count": 1, **settings}
    with Grafico(store="memory:") as session, pytest.raises(InputError, match=words):
        session.run(molecule, **said)


def test_a_charged_solute_keeps_its_charge():
    cation = embed("[NH4+]", "smiles").atoms
    whole = pack(cation, WATER, 3, 5).molecule
    assert (whole.charge, len(whole.numbers)) == (1, 14)
    assert whole.numbers.tolist()[:5] == cation.numbers.tolist()


@pytest.mark.parametrize("count", [1, 5, 30])
def test_molecules_that_are_placed_touch_and_do_not_overlap(count: int):
    solute = embed("CCO", "smiles").atoms
    one, again, other = (pack(solute, WATER, count, seed).molecule for seed in (1, 1, 2))
    assert np.array_equal(one.positions, again.positions)
    assert not np.array_equal(one.positions, other.positions)
    parts = connectivity(one).molecules
    assert [len(part) for part in parts] == [9] + [3] * count
    moved = one.positions[9:12] - one.positions[9]
    assert np.linalg.norm(moved[1]) == pytest.approx(
        float(np.linalg.norm(WATER.positions[1] - WATER.positions[0]))
    )


def test_clusters_in_which_a_proton_has_moved_are_left_out_and_told():
    start = together(WATER, WATER, 1, np.vstack([WATER.positions, WATER.positions + 3.0]))
    moved = start.positions.copy()
    moved[1] = moved[3] + [0.3, -0.9, 0.0]  # a proton of the first at the second
    level = resolve_level("GFN2-xTB").level
    held, broken, alone = (
        Computed(atoms, level, energy, Link[EnergyResult]("https://example.org/result"))
        for atoms, energy in ((start, -10.16), (start.moved_to(moved), -10.2), (WATER, -5.07))
    )
    parts = {"solute": alone, "solvent": alone}
    given = (WATER, WATER, "water", 1, "O.O", "placed")
    with pytest.raises(RecipeError, match="bonds change in the only geometry"):
        compared(*given, {"a": start}, {"a": broken, **parts}, {}, ())
    starts, both = {"a": start, "b": start}, {"a": broken, "b": held, **parts}
    found = compared(*given, starts, both, {}, ())
    assert [one.energy for one in found.ensemble.conformers] == [-10.16]
    assert found.association_energy == pytest.approx(-0.02)
    assert found.ensemble.left_out[0].startswith("a: its bonds changed")


def ring(*sides: int) -> ConceptualAtoms:
    """Three water molecules in a ring, each giving a hydrogen to the next, the other up or down."""
    places, numbers = list[Any](), list[int]()
    for k, side in enumerate(sides):
        out, following = (
            np.array([np.cos(a), np.sin(a), 0.0]) for a in 2 * np.pi * np.array([k, k + 1]) / 3
        )
        along = (following - out) / np.linalg.norm(following - out)
        free = 0.299 * out + 0.954 * np.array([0.0, 0.0, side])  # 105° from the other
        places += [1.62 * out, 1.62 * out + 0.97 * along, 1.62 * out + 0.96 * free]
        numbers += [8, 1, 1]
    return ConceptualAtoms(numbers=numbers, positions=places)


def arrangements(atoms: ConceptualAtoms) -> int:
    """Count the geometries of nine numbered atoms that three waters in a ring stand for.

    Each numbering that keeps the bonds, and its mirror image; those that a rotation lays upon the
    first are one with it.
    """
    points = atoms.positions - atoms.positions.mean(axis=0)
    ways = itertools.product(
        itertools.permutations(range(3)), itertools.product((False, True), repeat=3), (1, -1)
    )
    every = same = 0
    for order, swapped, hand in ways:
        rows = [3 * m + (at and (3 - at if swapped[m] else at)) for m in order for at in range(3)]
        moved = points[rows] * [1, 1, hand]
        turned = moved @ kabsch(points, moved[None])[0].T
        every += 1
        same += bool(np.abs(turned - points).max() < 0.01)
    return every // same


def test_clusters_are_weighted_by_how_many_geometries_they_stand_for():
    """Of the trimer of water: 96 with two hydrogens up and one down, 32 with all on one side.

    Counted over all 96 numberings and mirror images; so of equal energies 3/4 and 1/4.
    """
    clusters = {"uud": ring(1, 1, -1), "uuu": ring(1, 1, 1)}
    assert [arrangements(one) for one in clusters.values()] == [96, 32]
    level = resolve_level("GFN2-xTB").level
    link = Link[EnergyResult]("https://example.org/result")
    came = {name: Computed(one, level, -15.0, link) for name, one in clusters.items()}
    alone = {"solute": came["uud"], "solvent": came["uud"]}
    found = compared(
        WATER, WATER, "water", 2, "O.O.O", "by hand", clusters, {**came, **alone}, {}, ()
    ).ensemble
    kinds = {one.atoms.iri: one for one in found.conformers}
    two, all_three = (kinds[one.iri] for one in clusters.values())
    assert (two.degeneracy, two.mirror_images, two.symmetry_number) == (3, 2, 1)
    assert (all_three.degeneracy, all_three.mirror_images, all_three.symmetry_number) == (1, 2, 3)
    assert (two.weight, all_three.weight) == pytest.approx((0.75, 0.25))


def test_a_metal_ion_is_touched_by_its_solvent_and_nothing_has_reacted(need: Need):
    """Ab initio the two are 2.2 Å apart; GFN2-xTB puts them nearer. The program says the same."""
    need("xtb")
    with Grafico(store="memory:") as session:
        done = session.run("[Na+]", solvent="water", count=1, **QUICK)
        found = of(session, SolventCluster)
    assert done.status == "finished"
    assert isinstance(found, SolventCluster)
    assert found.ensemble.left_out == ()
    pair = found.ensemble.lowest.atoms
    assert np.linalg.norm(pair.positions[0] - pair.positions[1]) == pytest.approx(2.2, abs=0.3)
    theirs = float(Job(pair).run()["energy"])
    assert found.ensemble.lowest.energy == pytest.approx(theirs, abs=1e-6)


@pytest.fixture
def crest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConceptualAtoms:
    """The stand-in on the path, with methanol and two waters beside it."""
    solute = embed("CO", "smiles").atoms
    (tmp_path / "cluster.xyz").write_text(pack(solute, WATER, 2, 3).molecule.to_xyz())
    programs = {
        "crest": STAND_IN.format(python=sys.executable, home=str(tmp_path)),
        "xtb": OTHER_XTB.format(version="6.7.1"),
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return solute


def test_what_crest_has_grown_is_read_with_the_solute_first(tmp_path: Path, crest: ConceptualAtoms):
    grown = pack(crest, WATER, 2, 3).molecule
    found = grow(crest, WATER, 2, "3.0.2", "water")
    assert np.allclose(found.structures[0].positions, grown.positions, atol=1e-6)
    assert found.sampler == "CREST 3.0.2 QCG, GFN2-xTB, ALPB water"
    words = (tmp_path / "words").read_text()
    assert "solute.xyz --qcg solvent.xyz --nsolv 2 --grow" in words
    assert "--alpb water" in words
    with pytest.raises(ComponentError, match="on the path is 3"):
        grow(crest, WATER, 2, "2.12")
    (tmp_path / "cluster.xyz").write_text(WATER.to_xyz())
    with pytest.raises(RecipeError, match="not of 12 atoms"):
        grow(crest, WATER, 2, "3.0.2")


def test_what_crest_has_grown_is_searched_for_complexes(tmp_path: Path, crest: ConceptualAtoms):
    with Grafico(store="memory:") as session:
        session.run(crest, workflow="clusters", solvent="water", count=2, kept=2)
        found = of(session, SolventCluster)
    assert isinstance(found, SolventCluster)
    assert found.engine == "CREST 3.0.2 QCG, then NCI-MTD, GFN2-xTB"
    first, second = (tmp_path / "words").read_text().splitlines()
    assert "--qcg" in first.split()
    assert second.split()[-1] == "--nci"
    assert len(found.ensemble.conformers) == 1


def test_crest_does_not_dock_with_an_old_xtb(tmp_path: Path, crest: ConceptualAtoms):
    (tmp_path / "xtb").write_text(OTHER_XTB.format(version="6.5.1"))
    asked: dict[str, Any] = {"workflow": "clusters", "count": 2, "solvent": "water"}
    needs = "needs the program xtb, 6.6 or newer; it is 6.5.1"
    with Grafico(store="memory:") as session:
        with pytest.raises(ComponentError, match=needs):
            session.wait_for(lambda: session.prepare_async(crest, engine="CREST", **asked))
        ready = session.wait_for(lambda: session.prepare_async(crest, **asked))
    plan, told = ready.prepared.state.plan, ready.prepared.state.remarks
    assert plan.engine.startswith("4 placed at random")
    assert needs in told[0]


def test_a_solvent_from_a_file_is_recorded_by_its_structure(tmp_path: Path) -> None:
    """The run is gone on with where that file is not, such as in a job."""
    path = tmp_path / "solvent.xyz"
    path.write_text("3\n\nO 0 0 0.117\nH 0 0.757 -0.47\nH 0 -0.757 -0.47\n")
    asked: dict[str, Any] = {"solvent": str(path), "count": 2, "engine": "placing"}
    with Grafico("memory:") as session:
        ready = session.wait_for(
            lambda: session.prepare_async("[He]", workflow="clusters", **asked)
        )
        named = ready.forms[0].model_dump()["solvent"]
        assert session.atoms(named).formula == "H2O"
        asked["solvent"] = "water"
        ready = session.wait_for(
            lambda: session.prepare_async("[He]", workflow="clusters", **asked)
        )
        assert ready.forms[0].model_dump()["solvent"] == "water"
