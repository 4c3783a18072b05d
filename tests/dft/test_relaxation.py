"""Optimisations: thresholds, constraints, restarts, and what they say of the chemistry."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import GeometryConstraints
from tests.dft.structures import FORMALDEHYDE, HYDROGEN, WATER, atoms, rotated
from triplestore import open_store
from triplestore.errors import InputError, NotConvergedError
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.surface import optimise
from workflows.engine import Executor
from workflows.geometry import optimiser as descent
from workflows.geometry.constraints import measured
from workflows.geometry.relaxing import CONVERGENCE

PEROXIDE = atoms([8, 8, 1, 1], [[0, 0, 0.7], [0, 0, -0.7], [0.94, 0, 0.9], [-0.3, 0.9, -0.9]])


def theory(method: str = "HF", **more: Any) -> LevelOfTheory:
    return resolve_level(method, "STO-3G", more.pop("reference", "restricted"), **more).level


@pytest.fixture(scope="module")
def hf() -> LevelOfTheory:
    return theory()


def test_thresholds_are_those_of_geometric() -> None:
    from geometric.params import OptParams

    names = {"loose": "GAU_LOOSE", "normal": "GAU", "tight": "GAU_TIGHT"}
    for ours, theirs in {**names, "very tight": "GAU_VERYTIGHT"}.items():
        params = OptParams(convergence_set=theirs)
        wanted = [getattr(params, f"Convergence_{n}") for n in ("energy", "grms", "gmax")]
        assert list(CONVERGENCE[ours][:3]) == wanted
        assert CONVERGENCE[ours][3:] == (params.Convergence_drms, params.Convergence_dmax)


def test_tighter_thresholds_end_nearer_to_the_minimum(hf: LevelOfTheory) -> None:
    loose, tight = (optimise(PEROXIDE, hf, convergence=word) for word in ("loose", "tight"))
    assert loose.steps < tight.steps
    assert tight.max_gradient < 1.5e-5 * 3**0.5 < loose.max_gradient < 2.5e-3 * 3**0.5
    assert "gmax 1.5e-05" in tight.criteria
    assert loose.energy > tight.energy
    assert tight.path == ("TRIC",)
    assert tight.remarks == ()
    with pytest.raises(InputError, match="very tight"):
        optimise(WATER, hf, convergence="sloppy")  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "given",
    [
        atoms([1, 6, 7], [[0, 0, 0], [0.02, 0, 1.05], [0, 0, 2.25]]),
        atoms([1, 6, 6, 1], [[0, 0, -1.7], [0, 0, -0.6], [0, 0, 0.62], [0, 0, 1.7]]),
        HYDROGEN,
    ],
    ids=["HCN", "C2H2", "H2"],
)
def test_linear_molecules(hf: LevelOfTheory, given: ConceptualAtoms) -> None:
    relaxed = optimise(given, hf)
    assert relaxed.max_gradient < 4.5e-4 * 3**0.5
    assert relaxed.remarks == ()
    values = np.linalg.svd(relaxed.atoms.positions - relaxed.atoms.positions.mean(axis=0))[1]
    assert values[1] < 1e-2


def held(**more: Any) -> GeometryConstraints:
    return GeometryConstraints(**more)


@pytest.mark.parametrize(
    ("constraints", "members", "value"),
    [
        (held(dihedral_atoms=[[2, 0, 1, 3]], dihedrals=[-90.0]), [2, 0, 1, 3], -90.0),
        (held(distance_atoms=[[0, 1]], distances=[1.6]), [0, 1], 1.6),
        (held(angle_atoms=[[0, 1, 3]], angles=[105.0]), [0, 1, 3], 105.0),
        (held(frozen=[0, 1]), [0, 1], 1.4),
    ],
)
def test_what_is_held_is_reached_and_kept(
    hf: LevelOfTheory, constraints: GeometryConstraints, members: list[int], value: float
) -> None:
    relaxed = optimise(PEROXIDE, hf, constraints=constraints)
    assert measured(relaxed.atoms.positions, members) == pytest.approx(value, abs=1e-3)
    assert relaxed.constraints == constraints
    free = optimise(PEROXIDE, hf)
    assert relaxed.energy > free.energy - 1e-6
    assert free.constraints is None
    if constraints.frozen is not None:
        assert relaxed.atoms.positions[:2] == pytest.approx(PEROXIDE.positions[:2], abs=1e-5)


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        (held(frozen=[4]), "they are 5; there are 4 atoms"),
        (held(frozen=[-1]), "they are 0"),
        (held(distance_atoms=[[0, 0]], distances=[1.0]), "name each atom once"),
        (held(distance_atoms=[[0, 1]], distances=[-1.0]), "give 0.2 to 100 Å"),
        (held(distance_atoms=[[0, 1], [1, 0]], distances=[1.4, 1.5]), "asked for as 1.4 Å too"),
        (held(frozen=[0, 1], distance_atoms=[[1, 0]], distances=[2.0]), "frozen where it is"),
        (held(distance_atoms=[[0, 1]]), "the values given are 0"),
        (held(angle_atoms=[[0, 1, 3]], angles=[180.0]), "no derivative"),
        (held(dihedral_atoms=[[2, 0, 1, 3]], dihedrals=[np.nan]), "no dihedral"),
    ],
)
def test_constraints_that_cannot_be_are_refused(
    hf: LevelOfTheory, constraints: GeometryConstraints, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        optimise(PEROXIDE, hf, constraints=constraints)


def test_further_tries_go_on_from_the_last_geometry(
    hf: LevelOfTheory, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = optimise(FORMALDEHYDE, hf)
    tries = (
        descent.Try("TRIC", "tric", steps=2),
        descent.Try("TRIC with Hessian", "tric", True, 1),
    )
    monkeypatch.setattr("workflows.geometry.relaxing.TRIES", tries)
    made = optimise(FORMALDEHYDE, hf)
    assert made.path == ("TRIC", "TRIC with Hessian", "Cartesian")
    assert made.energy == pytest.approx(whole.energy, abs=2e-6)
    assert made.energies[:3].tolist() == pytest.approx(whole.energies[:3].tolist(), abs=1e-8)
    assert made.steps == len(made.energies) == len(set(made.energies.tolist()))
    bound = optimise(FORMALDEHYDE, hf, constraints=held(frozen=[0, 1]))
    assert bound.path == ("TRIC", "TRIC with Hessian", "HDLC")
    assert bound.atoms.positions[:2] == pytest.approx(FORMALDEHYDE.positions[:2], abs=1e-5)


def test_bonds_that_change_are_chemistry(hf: LevelOfTheory) -> None:
    """Two hydrogen atoms of parallel spins repel each other."""
    triplet = HYDROGEN.model_copy(update={"multiplicity": 3})
    made = optimise(triplet, theory(reference="unrestricted"))
    assert made.broken == ["H1-H2"]
    assert made.formed == []
    assert "it fell apart: 1 fragment became 2" in " ".join(made.remarks)


def test_another_state_at_the_end_is_said() -> None:
    """C2 keeps the closed shell of a stretched bond, 0.046 Eh below that of the usual guess."""
    stretched = atoms([6, 6], [[0, 0, 0], [0, 0, 1.6]])
    made = optimise(stretched, theory())
    unstable, remark = made.remarks
    assert unstable.startswith("not stable")  # C2 is no closed shell
    assert "ends in another state, 0.0463" in remark
    assert "higher" in remark


@pytest.fixture
async def executor(tmp_path: Path) -> AsyncIterator[Executor]:
    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(KnowledgeGraph(store), threads_per_calculation=1)
        yield executor
        executor.close()


async def test_what_ended_at_the_limit_goes_on_with_more_steps(
    executor: Executor, hf: LevelOfTheory, tmp_path: Path
) -> None:
    frames: list[Any] = []
    executor.events.call(lambda event: frames.append(event.data))
    for steps in (2, 2, 1):
        with pytest.raises(NotConvergedError, match="2 steps were made"):
            await executor.run(optimise.bind(FORMALDEHYDE, hf, steps))
    await asyncio.sleep(0.1)
    assert sum(frame.get("stage") == "optimise" for frame in frames) == 3
    answer = await executor.run(optimise.bind(FORMALDEHYDE, hf, 50))
    whole = optimise(FORMALDEHYDE, hf)
    assert answer.result.energy == pytest.approx(whole.energy, abs=2e-6)
    assert answer.result.energies[:3].tolist() == pytest.approx(whole.energies[:3].tolist())
    assert answer.result.steps == len(answer.result.energies)
    assert list((tmp_path / "store" / "tasks").iterdir()) == []
    again = await executor.run(optimise.bind(FORMALDEHYDE, hf))
    assert again.reused


async def test_constraints_move_along_with_their_atoms(
    executor: Executor, hf: LevelOfTheory
) -> None:
    order = np.array([3, 1, 0, 2])
    constraints = held(distance_atoms=[[0, 1]], distances=[1.5])
    first = await executor.run(optimise.bind(PEROXIDE, hf, constraints=constraints))
    turned = rotated(PEROXIDE, 0.7)
    copy = atoms(turned.numbers[order].tolist(), turned.positions[order].tolist())
    there = held(distance_atoms=[[2, 1]], distances=[1.5])
    second = await executor.run(optimise.bind(copy, hf, constraints=there))
    assert second.reused
    assert second.recorded == first.recorded
    assert measured(second.result.atoms.positions, [2, 1]) == pytest.approx(1.5, abs=1e-3)
    other = await executor.run(
        optimise.bind(copy, hf, constraints=held(distance_atoms=[[2, 0]], distances=[1.5]))
    )
    assert not other.reused


def test_a_key_holds_what_can_change_the_number(hf: LevelOfTheory) -> None:
    """That of a call with the defaults is what it was when there were no such parameters."""
    usual = optimise.bind(WATER, hf)
    assert optimise.bind(WATER, hf, 7).key == usual.key
    assert optimise.bind(WATER, hf, convergence="normal", constraints=None).key == usual.key
    assert optimise.bind(WATER, hf, convergence="tight").key != usual.key
    bound = optimise.bind(WATER, hf, constraints=held(frozen=[0]))
    assert len({bound.key, usual.key, bound.family, usual.family}) == 4
    inputs = {"atoms": {"object": WATER.iri}, "level": {"object": hf.iri}}
    parts = ["dft.optimise", "1", "pyscf", "1", {**inputs, "max_steps": {"value": 100}}]
    text = json.dumps(parts, sort_keys=True)
    assert usual.key == hashlib.sha256(text.encode()).hexdigest()[:40]
