"""What memory gives back for a moved copy, against a fresh calculation of that copy."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from grafico.session.inspection import show
from ogm import KnowledgeGraph, Link, Moves
from ogm.migration import migrate
from ogm.terms import BASE, SCHEMA_VERSION, XSD
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.provenance import Activity, Part, Run, Transition
from ontologies.quantum import ElectronicResult, Optimisation
from ontologies.vibrations import Displacement, FrequencyAnalysis, VibrationalAnalysis
from tests.dft.conftest import Bench
from tests.dft.structures import WATER
from tests.ontologies.structures import moved, named
from triplestore import open_store
from workflows.dft.graphs.graph import start
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.surface import frequencies, optimise
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.engine import Answer, Executor, run_all
from workflows.engine.execution.calculation import Call
from workflows.engine.execution.events import Scope, within

HF = ("HF", "STO-3G")
PBE = ("PBE", "STO-3G")
LIKENESS = f"<{BASE}likeness>"
OFF = {None: 1e-9, 6: 2e-6, 5: 2e-5}
"""Å. How far the atoms of a copy may be off, by the decimals of its file."""


def read(atoms: ConceptualAtoms, decimals: int | None) -> ConceptualAtoms:
    """The structure as it is read from a file with so many decimals."""
    return atoms if decimals is None else atoms.moved_to(atoms.positions.round(decimals))


def ask(bench: Bench, call: Call[Any], **more: Any) -> Answer[Any]:
    return bench.loop.call(lambda: bench.executor.run(call, **more))


_gradients: dict[tuple[str, str], Any] = {}


def gradient(atoms: ConceptualAtoms, level: LevelOfTheory) -> Any:
    """The gradient in Eh/bohr, computed once for each geometry and level."""
    names = (atoms.iri, level.iri)
    if names not in _gradients:
        _gradients[names] = _gradient(atoms, level)
    return _gradients[names]


def _gradient(atoms: ConceptualAtoms, level: LevelOfTheory) -> Any:
    mf = mean_field(molecule(atoms, level), level).run()
    assert mf.converged
    return mf.nuc_grad_method().kernel()


def same_electrons(one: ElectronicResult, fresh: ElectronicResult) -> None:
    """DFT energies differ by 5e-7 Eh through the grid; 1e-5 Å make 1e-6 Eh at 0.05 Eh/bohr."""
    assert one.atoms.numbers.tolist() == fresh.atoms.numbers.tolist()
    assert one.atoms.positions == pytest.approx(fresh.atoms.positions, abs=2e-5)
    assert one.energy == pytest.approx(fresh.energy, abs=1e-6)
    assert one.dipole == pytest.approx(fresh.dipole, abs=2e-4)
    assert one.mulliken_charges == pytest.approx(fresh.mulliken_charges, abs=2e-5)
    assert one.homo == pytest.approx(fresh.homo, abs=2e-5)
    assert one.lumo == pytest.approx(fresh.lumo, abs=2e-5)


def same_vibrations(one: FrequencyAnalysis, fresh: FrequencyAnalysis) -> None:
    """Wavenumbers one by one; modes up to their signs, and mixtures where they are degenerate.

    Through the grid, second derivatives of exactly rotated copies differ by 4e-4 Eh/bohr².
    """
    within = 5e-4 if one.level.functional else 1e-4
    assert one.wavenumbers == pytest.approx(fresh.wavenumbers, abs=1000 * within)
    assert one.hessian == pytest.approx(fresh.hessian, abs=within)
    assert one.reduced_masses == pytest.approx(fresh.reduced_masses, rel=1e-3)
    assert np.linalg.norm(one.modes, axis=(1, 2)) == pytest.approx(np.ones(len(one.modes)))
    for wave, mode in zip(one.wavenumbers, one.modes, strict=True):
        alike = np.abs(fresh.wavenumbers - wave) < 1.0
        space = fresh.modes[alike].reshape(alike.sum(), -1).T
        rest = np.linalg.lstsq(space, mode.ravel(), rcond=None)[1]
        assert rest == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("decimals", [6, 5])
@pytest.mark.parametrize(
    ("name", "level"), [("H2O", HF), ("CHFClBr", HF), ("CH3CH2OH", HF), ("H2O", PBE)]
)
def test_energy_gradient_dipole_and_charges_of_a_copy(
    bench: Bench, name: str, level: tuple[str, str], decimals: int | None
) -> None:
    atoms, theory = named(name), bench.level(*level)
    copy = read(moved(atoms, 11 + (decimals or 0)), decimals)
    assert copy.positions.tolist() != atoms.positions.tolist()
    first = ask(bench, single_point.bind(atoms, theory))
    answer = ask(bench, single_point.bind(copy, theory))
    assert answer.reused
    assert answer.recorded == first.recorded
    assert answer.motion.deviation < OFF[decimals]
    same_electrons(answer.result, single_point(copy, theory))
    stored = bench.kg.pull(ElectronicResult, answer.recorded)
    carried = answer.motion.carry(gradient(stored.atoms, theory), Moves("item vector"))
    assert carried == pytest.approx(gradient(copy, theory), abs=2e-5 if decimals == 5 else 1e-5)


def test_a_mirror_image_of_a_chiral_molecule_is_computed(bench: Bench) -> None:
    atoms, level = named("CHFClBr"), bench.level(*HF)
    first = ask(bench, single_point.bind(atoms, level))
    mirrored = ask(bench, single_point.bind(moved(atoms, 1, mirror=True), level))
    assert not mirrored.reused
    assert mirrored.result.energy == pytest.approx(first.result.energy, abs=1e-8)


@pytest.mark.parametrize(
    ("name", "level", "decimals"),
    [
        ("H2O", HF, 5),
        ("H2O2", HF, 5),
        ("NH3", HF, 6),
        ("CH4", HF, 5),
        ("CH4", HF, None),
        ("H2O", PBE, 5),
    ],
)
def test_second_derivatives_and_modes_of_a_copy(
    bench: Bench, name: str, level: tuple[str, str], decimals: int | None
) -> None:
    atoms, theory = named(name), bench.level(*level)
    copy = read(moved(atoms, 5), decimals)
    ask(bench, frequencies.bind(atoms, theory))
    answer = ask(bench, frequencies.bind(copy, theory))
    assert answer.reused
    fresh = frequencies(copy, theory)
    same_electrons(answer.result, fresh)
    same_vibrations(answer.result, fresh)
    # the modes and the second derivatives that were given back still belong together
    flat = answer.result.hessian.transpose(0, 2, 1, 3).reshape(len(copy.numbers) * 3, -1)
    mode = answer.result.modes[-1].ravel()
    masses = np.repeat(molecule(copy, theory).atom_mass_list(isotope_avg=True), 3)
    curvature = (mode @ flat @ mode) / (mode @ (masses * mode)) / 1822.888486
    assert curvature**0.5 * 219474.63 == pytest.approx(answer.result.wavenumbers[-1], rel=1e-4)


def test_an_optimisation_is_given_back_where_the_copy_lies(bench: Bench) -> None:
    level = bench.level(*HF)
    copy = read(moved(WATER, 3), 5)
    first = ask(bench, optimise.bind(WATER, level))
    answer = ask(bench, optimise.bind(copy, level))
    assert answer.reused
    assert isinstance(answer.result, Optimisation)
    assert answer.result.initial.positions == pytest.approx(copy.positions, abs=2e-5)
    assert answer.result.energies.tolist() == first.result.energies.tolist()
    fresh = optimise(copy, level)
    assert answer.result.energy == pytest.approx(fresh.energy, abs=1e-6)
    assert answer.result.atoms.positions == pytest.approx(fresh.atoms.positions, abs=1e-3)


def test_a_step_that_took_a_copy_s_result_says_how_far_that_was_off(bench: Bench) -> None:
    own = WATER.moved_to(WATER.positions * 1.007)  # a geometry that no other test asks for
    level, copy = bench.level(*HF), read(moved(own, 6), 5)
    of = {}
    for name, atoms in (("first", own), ("same", own), ("copy", copy)):
        run = bench.kg.pull(Run, bench.run(atoms, level, "energy").run)
        [of[name]] = bench.kg.find(Transition, run=run)
        with within(Scope(run.iri, 1)):
            call = single_point.bind(atoms, level)
            bench.loop.call(lambda call=call: run_all(bench.executor, {"a part": call}))
        [part] = bench.kg.find(Part, run=run)
        assert (part.reused, part.deviation) == (True, of[name].deviation)
    assert of["copy"].reused
    assert of["first"].deviation is None
    assert of["same"].deviation is None
    # what rounding to five decimals does to it, seen from the other side of the motion
    assert of["copy"].deviation == pytest.approx(ask(bench, call).motion.deviation, rel=1e-6)
    assert 1e-6 < of["copy"].deviation < 2e-5
    shown = dict(show(bench.kg.store, of["copy"].iri).properties)
    number, unit = shown["g:deviation"].split()
    assert (float(number), unit) == (of["copy"].deviation, "ANGSTROM")


def test_what_is_stretched_a_little_is_computed(bench: Bench) -> None:
    level = bench.level(*HF)
    ask(bench, single_point.bind(named("H2O"), level))
    assert ask(bench, single_point.bind(moved(named("H2O"), 1, mirror=True), level)).reused
    stretched = named("H2O").moved_to(named("H2O").positions * 1.0001)
    assert not ask(bench, single_point.bind(moved(stretched, 2), level)).reused


def test_a_moved_copy_of_a_stationary_geometry_is_stationary(bench: Bench) -> None:
    level = bench.level(*HF)
    relaxed = bench.last(WATER, level, "optimise").atoms
    for copy in (relaxed, moved(relaxed, 1), read(moved(relaxed, 2), 5)):
        state = start(copy, level, bench.executor)
        assert state.situation.geometry == "stationary"
        result = state.answers[0].result
        assert result.atoms.positions == pytest.approx(copy.positions, abs=2e-5)
        assert result.atoms.numbers.tolist() == copy.numbers.tolist()
    assert start(moved(WATER, 1), level, bench.executor).situation.geometry == "as given"
    finish = bench.run(moved(relaxed, 4), level, "frequencies")
    assert isinstance(finish.state.answers[0].result, Optimisation)
    assert finish.state.answers[0].reused


def test_stationary_geometries_are_found_without_loading_the_others(bench: Bench) -> None:
    """Only optimisations that ended at the same extent are pulled."""
    level = bench.level(*HF)
    relaxed = bench.last(WATER, level, "optimise").atoms
    stored = bench.kg.find(Optimisation, atoms=relaxed)[0]

    def other(number: int) -> Optimisation:
        atoms = moved(relaxed.moved_to(relaxed.positions * (1.01 + number / 1000)), number)
        changes = {"atoms": atoms, "initial": atoms, "extent": None}
        made = stored.model_copy(update=changes).identified(f"urn:test:optimisation:{number}")
        assert made.extent == pytest.approx(atoms.extent)
        return made

    names = [f"urn:test:optimisation:{number}" for number in range(40)]
    bench.kg.push(*map(other, range(40)))
    assert start(moved(relaxed, 3), level, bench.executor).situation.geometry == "stationary"
    assert not any(bench.kg.known(name) for name in names), "none of them was loaded"


def test_stationary_geometries_of_an_earlier_release_are_found(bench: Bench) -> None:
    """As it stored them (the second schema, then the first), and as migration leaves them."""
    level = bench.level(*HF)
    relaxed = bench.last(WATER, level, "optimise").atoms
    stored = b"".join(bench.kg.store.dump()).decode().splitlines()
    subjects = {line.split()[0] for line in stored if LIKENESS in line}
    versions = [f"{one} <{SCHEMA_VERSION}> " for one in subjects]

    def without(*said: str) -> list[str]:
        dropped = (*versions, *(f"{one} <{BASE}{name}> " for one in subjects for name in said))
        return [line for line in stored if not line.startswith(dropped)]

    second = [f'{version}"2"^^<{XSD}integer> .' for version in versions]
    for lines in (
        [*without("likeness"), *second],
        without("likeness", "extent", "dipoleMoment"),
    ):
        with open_store("memory:") as store:
            store.insert("\n".join(lines).encode())
            assert LIKENESS not in b"".join(store.dump()).decode()
            for migrated in (False, True):
                with closing(
                    Executor(KnowledgeGraph(store), threads_per_calculation=1)
                ) as executor:
                    assert executor.kg.has_older(Optimisation) != migrated
                    state = start(moved(relaxed, 3), level, executor)
                    assert state.situation.geometry == "stationary"
                    assert start(WATER, level, executor).situation.geometry == "as given"
                migrate(KnowledgeGraph(store))
            assert LIKENESS in b"".join(store.dump()).decode()


def test_links_of_moved_results_lead_to_what_is_stored(bench: Bench) -> None:
    level = bench.level(*HF)
    stored = ask(bench, frequencies.bind(WATER, level))
    answer = ask(bench, frequencies.bind(moved(WATER, 8), level))
    assert answer.recorded == stored.recorded
    assert not answer.result.has_iri, "what was moved is no other record"
    pushed = Displacement(
        source=Link[VibrationalAnalysis](answer.recorded),
        wavenumber=-1.0,
        amplitude=0.1,
        atoms=answer.result.atoms,
    )
    carried = pushed.transformed(answer.motion)
    assert carried.source == pushed.source
    assert carried.atoms == pushed.atoms.transformed(answer.motion)


def test_recomputing_makes_a_new_activity_beside_the_old(bench: Bench) -> None:
    level, copy = bench.level(*HF), moved(named("H2O"), 21)
    first = ask(bench, single_point.bind(named("H2O"), level))
    again = ask(bench, single_point.bind(copy, level), recompute=True)
    assert not again.reused
    assert again.recorded != first.recorded
    assert again.former is not None
    assert again.former.recorded == first.recorded
    assert again.result.energy == pytest.approx(again.former.result.energy, abs=1e-8)
    latest = ask(bench, single_point.bind(copy, level), recompute=True)
    assert latest.former is not None
    assert latest.former.recorded == again.recorded
    key = single_point.bind(copy, level).key
    assert {a.generated.iri for a in bench.kg.find(Activity, key=key)} == {
        again.recorded,
        latest.recorded,
    }
    assert ask(bench, single_point.bind(copy, level)).recorded == latest.recorded
    assert ask(bench, single_point.bind(named("H2O"), level)).recorded == first.recorded


def test_a_session_says_how_far_energies_differ_that_were_computed_again() -> None:
    with Grafico("memory:", threads_per_calculation=1) as session:
        first = session.run(WATER, method="HF", basis="STO-3G", task="optimise")
        assert first.differences == {}
        copy = moved(WATER, 2)
        again = session.run(copy, method="HF", basis="STO-3G", task="optimise", recompute=True)
        assert not again.reused
        assert again.answers[0].former is not None
        assert again.answers[0].former.recorded == first.answers[0].recorded
        assert again.differences == {again.answers[0].recorded: again.energy - first.energy}
        assert abs(again.energy - first.energy) < 1e-6
        relaxed = session.run(again.atoms, method="HF", basis="STO-3G", task="optimise")
        assert relaxed.reused, "it is known to be stationary"
        anew = session.run(
            again.atoms, method="HF", basis="STO-3G", task="optimise", recompute=True
        )
        assert not anew.reused, "what is known of it does not count either"
