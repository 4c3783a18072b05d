"""Ensembles through the session: sampled, remembered, refined, and what cannot be asked."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import ase.io
import pytest

from grafico import Grafico
from ogm import KnowledgeGraph, Link
from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerEnsemble
from ontologies.factors import HARTREE
from ontologies.quantum import EnergyResult
from tests.ontologies.instances import POINT
from triplestore import open_store
from triplestore.errors import InputError, NotFoundError
from workflows.conformer.ensemble import Computed
from workflows.conformer.forms import EnsembleRequest
from workflows.conformer.result import Conformers
from workflows.conformer.sameness import groups
from workflows.conformer.settling import settled
from workflows.engine import Executor
from workflows.show.blocks import Note
from workflows.tightbinding.calculations import optimise, single_point
from workflows.tightbinding.levels import resolve_level

KCAL = HARTREE["kcal/mol"]
GAS = 8.31446261815324 / 4184  # kcal/(mol K)


def ensemble(session: Grafico, molecule: str, **asked: object) -> ConformerEnsemble:
    done: Conformers = session.conformers(
        molecule, **{"sampler": "embedding", "starts": 20, **asked}
    )
    assert done.status == "finished", done.message
    assert done.ran.made == (done.ensemble,)
    return done.ensemble


def test_ethanol_has_two_conformers_one_of_them_twice(session: Grafico) -> None:
    found = ensemble(session, "CCO")
    assert sorted(one.degeneracy for one in found.conformers) == [1, 2]
    assert sum(one.weight for one in found.conformers) == pytest.approx(1)
    first, second = found.conformers
    apart = (second.energy - first.energy) * KCAL
    assert 0 < apart < 2
    expected = second.degeneracy / first.degeneracy * math.exp(-apart / (GAS * found.temperature))
    assert second.weight / first.weight == pytest.approx(expected, rel=1e-6)
    assert found.lowest is first


def test_what_was_found_is_remembered(session: Grafico) -> None:
    first = ensemble(session, "CCO")
    again = session.conformers("CCO", sampler="embedding", starts=20)
    assert again.reused
    assert again.ensemble == first
    told = again.as_json()
    assert [one["weight"] for one in told["conformers"]] == [one.weight for one in first.conformers]
    assert told["conformers"][0]["relative_energy_kcal_mol"] == 0


def test_a_molecule_that_cannot_turn_has_one(session: Grafico) -> None:
    (only,) = ensemble(session, "C=O").conformers
    assert (only.number, only.weight, only.degeneracy) == (1, 1.0, 1)


def test_weights_follow_the_temperature_and_the_window_leaves_out(session: Grafico) -> None:
    cold, hot = (ensemble(session, "CCO", temperature=T) for T in (100, 1e5))
    assert cold.lowest.weight > hot.lowest.weight
    assert hot.lowest.weight == pytest.approx(hot.lowest.degeneracy / 3, abs=0.02)
    narrow = ensemble(session, "CCO", window=1e-3)
    assert len(narrow.conformers) == 1
    assert any("left out" in one for one in narrow.remarks)


def test_an_ensemble_is_refined_by_its_iri_or_that_of_its_run(session: Grafico) -> None:
    done = session.conformers("CCO", sampler="embedding", starts=20)
    sampled = done.ensemble
    asked = {"method": "HF", "basis": "STO-3G", "cumulative": 1.0}
    found: ConformerEnsemble = session.refine(done.run, **asked).ensemble
    assert found.refined is not None
    assert found.refined.iri == sampled.iri
    assert found.level.label == "HF/STO-3G"
    assert len(found.conformers) == 2
    alone = session.run(found.lowest.atoms, task="energy", method="HF", basis="STO-3G")
    assert alone.energy == pytest.approx(found.lowest.energy, abs=1e-7)
    again = session.refine(sampled.iri, **asked)
    assert again.reused
    assert again.ensemble == found


def test_weights_by_gibbs_energies_count_mirror_images_alone(session: Grafico) -> None:
    found = ensemble(session, "CCO", weights="Gibbs energy")
    assert found.weighted_by == "Gibbs energy"
    first, second = found.conformers
    assert first.gibbs_energy is not None
    assert second.gibbs_energy is not None
    apart = (second.gibbs_energy - first.gibbs_energy) * KCAL
    images = second.mirror_images / first.mirror_images
    expected = images * math.exp(-apart / (GAS * found.temperature))
    assert second.weight / first.weight == pytest.approx(expected, rel=1e-6)


def test_what_only_seemed_to_be_a_minimum_is_relaxed_very_tightly() -> None:
    """Of methanol and water: at usual thresholds two of four ends are flat places on the way."""
    frames: Any = ase.io.read(Path(__file__).with_name("methanol_water.xyz"), ":")
    ends = [ConceptualAtoms(numbers=one.numbers, positions=one.positions) for one in frames]
    level = resolve_level("GFN2-xTB").level
    thresholds = EnsembleRequest().thresholds

    async def relaxed(atoms: ConceptualAtoms) -> Computed:
        found = optimise(atoms, level, 500, convergence="very tight")
        return Computed(found.atoms, level, found.energy, Link[EnergyResult](POINT))

    async def ask() -> dict[str, Computed]:
        executor = Executor(KnowledgeGraph(open_store("memory:")), threads_per_calculation=1)
        first = {
            f"start {n}": Computed(
                one, level, single_point(one, level).energy, Link[EnergyResult](POINT)
            )
            for n, one in enumerate(ends, 1)
        }
        alike = groups(ends, [one.energy for one in first.values()], thresholds, "CO.O")
        assert len(alike) == 4
        found, told = await settled(ends[0], "CO.O", first, thresholds, 0.01, relaxed, executor)
        await executor.aclose()
        assert not told
        return found

    found = list(asyncio.run(ask()).values())
    alike = groups([one.atoms for one in found], [one.energy for one in found], thresholds, "CO.O")
    assert sorted(map(sorted, alike)) == [[0, 2], [1, 3]]


def test_without_vibrations_no_conformer_is_verified_as_a_minimum(session: Grafico) -> None:
    """Of radicals and complexes some are saddle points at GFN2-xTB."""
    for molecule, starts in (("[CH2]CO", 2), ("CCO", 5)):
        done = session.conformers(molecule, sampler="embedding", starts=starts)
        told = [one for one in done.as_json()["remarks"] if "not verified as minima" in one]
        assert len(told) == 1, molecule
        notes = [
            one.text
            for part in done.shown_sections()
            for one in part.blocks
            if isinstance(one, Note)
        ]
        assert notes.count(told[0]) == 1, molecule
    verified = session.conformers("CCO", sampler="embedding", starts=5, weights="Gibbs energy")
    assert not any("not verified" in one for one in verified.as_json()["remarks"])
    assert verified.ensemble.unverified == 0


def test_geometries_that_became_alike_are_merged_by_name(session: Grafico) -> None:
    """At a threshold of 5 Å and 100 kcal/mol all conformers are one."""
    sampled = ensemble(session, "CCO")
    done = session.refine(
        sampled.iri, task="energy", method="GFN1-xTB", cumulative=1, rthr=5, ethr=100, bthr=0.9
    )
    found: ConformerEnsemble = done.ensemble
    assert len(found.conformers) == 1
    assert [one for one in found.left_out if "became conformer" in one]
    assert "geometries are those at GFN2-xTB" in found.remarks


def test_what_cannot_be_asked_is_told(session: Grafico) -> None:
    sampled = ensemble(session, "CCO")
    with pytest.raises(InputError, match="the task is optimise"):
        session.refine(sampled.iri, method="HF", basis="STO-3G", weights="Gibbs energy")
    with pytest.raises(NotFoundError, match="conformers"):
        session.refine(sampled.lowest.atoms.iri, method="HF", basis="STO-3G")
    with pytest.raises(NotFoundError, match="no IRI"):
        session.refine("ethanol", method="HF", basis="STO-3G")
    with pytest.raises(InputError, match="heptane"):
        session.conformers("CCO", solvent="heptane")
    allowed = session.conformers(
        "CCO", sampler="embedding", starts=20, solvent="heptane", solvent_substitute=True
    )
    assert allowed.ensemble.level.label == "GFN2-xTB in ALPB n-hexane"
    assert any("n-hexane is taken in its place" in one for one in allowed.ensemble.remarks)
    for wrong in ({"starts": 0}, {"window": -1}, {"temperature": 0}, {"rthr": 0}):
        with pytest.raises(InputError):
            session.conformers("CCO", **wrong)


def test_an_ensemble_is_written_frame_after_frame(session: Grafico) -> None:
    done = session.conformers("CCO", sampler="embedding", starts=20)
    text = session.structures(done.run).text
    heads = [line for line in text.splitlines() if "weight" in line]
    assert [f"conformer {n}" in line for n, line in enumerate(heads, 1)] == [True, True]
    assert text.splitlines()[0] == "9"
    assert len(text.splitlines()) == 22
    assert session.structures(done.ensemble.iri, to="sdf").text.count("$$$$") == 2


def test_averages_follow_from_the_weights(session: Grafico) -> None:
    done = session.conformers("CCO", sampler="embedding", starts=20)
    first, second = done.conformers
    mean = first.weight * first.energy + second.weight * second.energy
    assert done.average("energy") == pytest.approx(mean, abs=1e-12)
    assert done.ensemble.mean_energy == pytest.approx(mean, abs=1e-12)
    lengths = [math.sqrt(sum(x * x for x in one.dipole)) for one in done.results]  # pyright: ignore
    assert min(lengths) < done.average("dipole") < max(lengths)
    with pytest.raises(NotFoundError, match="no number of that name"):
        done.average("atoms")


def test_the_free_energy_of_all_is_that_of_the_partition_function(session: Grafico) -> None:
    """G = −kT ln Σ m exp(−G/kT), which mean and mixing must come to."""
    found = ensemble(session, "CCO", weights="Gibbs energy")
    thermal = GAS * found.temperature / KCAL
    low = min(one.gibbs_energy or 0 for one in found.conformers)
    total = sum(
        one.mirror_images * math.exp(-((one.gibbs_energy or 0) - low) / thermal)
        for one in found.conformers
    )
    assert found.ensemble_gibbs == pytest.approx(low - thermal * math.log(total), abs=1e-10)


def test_a_pose_is_compared_with_each_conformer(session: Grafico, tmp_path: Path) -> None:
    done = session.conformers("CCO", sampler="embedding", starts=20)
    pose = done.conformers[1].atoms
    turned = pose.model_copy(update={"positions": pose.positions[:, [1, 2, 0]] + 3.0})
    file = tmp_path / "pose.xyz"
    file.write_text(turned.to_xyz("a pose"))
    first, second = session.pose(done.run, structure=str(file))
    assert second == pytest.approx(0, abs=1e-6)
    assert first > 0.1
    with pytest.raises(InputError):
        session.pose(done.run, structure="CCCO")
