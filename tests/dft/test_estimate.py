"""What a calculation is estimated to take: against measured times, and who is refused."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import numpy as np
import pytest
from pyscf.df.addons import make_auxmol
from pyscf.dft import gen_grid

from grafico.views.progress import Progress
from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.provenance import Run
from tests.asking import asked_of, run_dft
from tests.ontologies.structures import named
from triplestore import open_store
from triplestore.errors import ResourceError
from workflows.dft.graphs.counterpoise import InteractionRequest
from workflows.dft.graphs.spin_states import SpinStatesRequest
from workflows.dft.level.fitting import auxiliary_for
from workflows.dft.level.resolving import resolve_level
from workflows.dft.request import estimate as estimating
from workflows.dft.request.estimate import estimate
from workflows.dft.request.forms import DFTRequest, LevelRequest
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.dft.request.size import GRIDS, size_of
from workflows.dft.scf.meanfield import molecule
from workflows.engine import Event, Executor, Slots
from workflows.engine.request.cost import TOLD, check
from workflows.engine.request.form import fill
from workflows.text.words import duration, storage

from .structures import FORMALDEHYDE, HYDROGEN, METHYL, WATER, single


def level(
    method: str = "HF", basis: str = "def2-SVP", reference: str = "restricted", **more: Any
) -> LevelOfTheory:
    return resolve_level(method, basis, reference, **more).level  # pyright: ignore


def chain(carbons: int) -> ConceptualAtoms:
    """Return an alkane, stretched out."""
    numbers: list[int] = []
    places: list[tuple[float, float, float]] = []

    def add(number: int, x: float, y: float, z: float) -> None:
        numbers.append(number)
        places.append((x, y, z))

    for i in range(carbons):
        side = (-1) ** i
        add(6, 1.27 * i, 0.42 * side, 0)
        add(1, 1.27 * i, 1.05 * side, 0.89)
        add(1, 1.27 * i, 1.05 * side, -0.89)
    add(1, -0.9, -0.2, 0)
    add(1, 1.27 * (carbons - 1) + 0.9, -0.2 * (-1) ** (carbons - 1), 0)
    return ConceptualAtoms(numbers=numbers, positions=np.array(places))


LONG = chain(166)
C60 = named("C60")

ETHENE = ConceptualAtoms(
    numbers=[6, 6, 1, 1, 1, 1],
    positions=[
        [0.67, 0, 0],
        [-0.67, 0, 0],
        [1.23, 0.92, 0],
        [1.23, -0.92, 0],
        [-1.23, 0.92, 0],
        [-1.23, -0.92, 0],
    ],
)

MEASURED = [
    # processor time in s on one core of an AMD EPYC, PySCF 2.14; frequencies: second derivatives
    (FORMALDEHYDE, "B3LYP", "frequencies", 6.08),
    (FORMALDEHYDE, "HF", "frequencies", 1.32),
    (FORMALDEHYDE, "B3LYP", "energy", 0.83),
    (WATER, "B3LYP", "frequencies", 1.62),
    (WATER, "B3LYP", "energy", 0.35),
]


def test_sizes_are_those_of_pyscf() -> None:
    radical = METHYL.model_copy(update={"multiplicity": 2})
    iodine = single(53, multiplicity=2)
    for atoms, at in (
        (WATER, level("B3LYP", "6-31G*", cartesian=True)),
        (radical, level("PBE", "def2-TZVP", "unrestricted", density_fitting=True)),
        (iodine, level("PBE", "def2-SVP", "unrestricted", grid_level=2)),
        (single(36), level("PBE", "cc-pVDZ")),
    ):
        mol = molecule(atoms, at)
        size = size_of(atoms, at)
        assert (size.functions, size.electrons) == (mol.nao, mol.nelectron)
        grids = gen_grid.Grids(mol)
        grids.level = at.grid_level
        grids.build()
        assert 0.7 < size.points / np.size(np.asarray(grids.weights)) < 1.5
        if at.density_fitting:
            sets = auxiliary_for(mol, at.auxiliary_basis)
            assert size.fitting == make_auxmol(mol, sets).nao


def test_grids_are_those_of_pyscf() -> None:
    for grid, (shells, points) in enumerate(GRIDS):
        assert tuple(gen_grid.RAD_GRIDS[grid]) == shells
        orders = [gen_grid.LEBEDEV_ORDER[int(order)] for order in gen_grid.ANG_ORDER[grid]]
        assert tuple(orders[:3]) == points
        assert set(orders[2:]) == {points[2]}


@pytest.mark.parametrize(("atoms", "method", "task", "seconds"), MEASURED)
def test_times_are_right_within_the_factor_that_is_said(
    atoms: ConceptualAtoms, method: str, task: Any, seconds: float
) -> None:
    whole = estimate(atoms, level(method), DFTRequest(task=task))
    if task == "frequencies":  # less the optimisation that comes before
        before = estimate(atoms, level(method), DFTRequest(task="optimise"))
        found = whole.seconds - before.seconds
    else:
        found = whole.seconds
    assert 1 / 4 < found / seconds < 4


def test_only_functions_that_overlap_count() -> None:
    """One Coulomb and exchange matrix of a chain of 60 atoms in STO-3G took 5.8 s, as above."""
    size = size_of(chain(20), level("HF", "STO-3G"))
    assert 1 / 4 < estimating.ERI * size.pairs**2 / 2 / 5.8 < 4
    assert size_of(chain(40), level("HF", "STO-3G")).pairs < 2.5 * size.pairs


def test_more_work_takes_longer() -> None:
    at, energy = level("B3LYP"), DFTRequest()
    one = estimate(WATER, at, energy).seconds
    assert estimate(WATER, level("B3LYP", "def2-TZVP"), energy).seconds > one
    assert estimate(WATER, level("wB97X-V"), energy).seconds > 10 * one
    assert estimate(WATER, at, DFTRequest(task="optimise")).seconds > one
    assert estimate(WATER, at, fill(DFTRequest, {"states": 5})).seconds > one
    assert estimate(WATER, at, energy, threads=4).seconds < one / 2
    pure = level("PBE", density_fitting=True)
    assert estimate(LONG, pure, energy).seconds < estimate(LONG, at, energy).seconds / 3


@pytest.mark.parametrize(
    ("name", "method", "basis", "states", "response", "measured"),
    [
        ("H2CO", "B3LYP", "def2-SVP", 5, "TDDFT", 6.5),
        ("H2CO", "B3LYP", "def2-SVP", 5, "TDA", 3.0),
        ("H2CO", "B3LYP", "def2-SVP", 20, "TDDFT", 7.0),
        ("H2CO", "PBE", "def2-SVP", 5, "TDDFT", 3.7),
        ("H2CO", "HF", "def2-SVP", 5, "TDDFT", 0.5),
        ("butadiene", "HF", "def2-SVP", 5, "TDDFT", 17.8),
        ("butadiene", "B3LYP", "def2-SVP", 5, "TDA", 29.5),
        ("C6H6", "B3LYP", "STO-3G", 10, "TDDFT", 20.8),
    ],
)
def test_excited_states_beside_what_they_took(
    name: str, method: str, basis: str, states: int, response: str, measured: float
) -> None:
    """Seconds of a processor (AMD EPYC, one core), less those of the ground state."""
    from ase.build import molecule as known

    built: Any = known(name)
    atoms = ConceptualAtoms(numbers=built.numbers, positions=built.positions)
    asked = fill(DFTRequest, {"states": states, "response": response})
    at = level(method, basis)
    more = estimate(atoms, at, asked).seconds - estimate(atoms, at, DFTRequest()).seconds
    assert measured / 3 < more < 3 * measured


def test_electrons_and_atoms_of_all_numbers_are_estimated() -> None:
    proton = single(1, charge=1)
    hydride = single(1, charge=-1)
    assert size_of(proton, level()).electrons == 0
    assert size_of(hydride, level()).electrons == 2
    for atoms in (proton, hydride, HYDROGEN, single(2), C60):
        for task in ("energy", "optimise", "frequencies"):
            found = estimate(atoms, level("B3LYP"), fill(DFTRequest, {"task": task, "states": 2}))
            assert np.isfinite(found.seconds)
            assert found.seconds > 0
    assert size_of(C60, level()).functions == 840
    assert estimate(proton, level(), DFTRequest()).seconds < 1


def test_five_hundred_atoms_are_counted_at_once() -> None:
    assert len(LONG.numbers) == 500
    at = level("B3LYP")
    size_of(LONG, at)  # the basis set is read once
    begun = time.perf_counter()
    found = estimate(LONG, at, DFTRequest(task="frequencies"))
    assert time.perf_counter() - begun < 20  # 0.1 s; counting every pair would take minutes
    assert found.size.functions == 3994
    assert found.seconds > 30 * 86400


def asked(
    atoms: ConceptualAtoms, at: LevelOfTheory, request: DFTRequest, **more: Any
) -> list[Event]:
    """Check a request with an executor of a small machine; returns what it told."""
    told: list[Event] = []
    kg = KnowledgeGraph(open_store("memory:"))

    async def ask() -> None:
        slots = Slots(total_cores=2, memory=16_000, gpus=[])
        executor = Executor(kg, slots, listener=told.append)
        try:
            part = MoleculeCost(atoms, at, request)
            check([part], request.goal().text, executor, force=request.force, **more)
        finally:
            await executor.aclose()

    asyncio.run(ask())
    return [event for event in told if event.kind == "estimate"]


def test_what_is_too_long_is_refused_with_figures_and_a_way_out() -> None:
    with pytest.raises(ResourceError) as caught:
        asked(LONG, level("B3LYP"), DFTRequest(task="optimise"))
    error = caught.value
    assert "C166H334" in error.asked
    assert "500 atoms and 3,994 basis functions" in error.found
    assert "days" in error.found
    assert "the limit is 24 hours" in error.found
    assert "(`force`)" in error.advice


def test_what_cannot_be_counted_is_left_to_the_calculation() -> None:
    heavy = ConceptualAtoms(numbers=[92] * 5, positions=np.arange(15).reshape(5, 3) * 3.0)
    assert asked(heavy, level("HF", "6-31G*"), DFTRequest()) == []


def test_what_needs_more_memory_than_there_is_is_refused() -> None:
    with pytest.raises(ResourceError, match=r"a calculation here gets 16 GB of memory"):
        asked(LONG, level("PBE", solvent="water", density_fitting=True), DFTRequest(), hours=1e6)


def test_it_is_told_above_a_minute_and_forced_where_it_is_asked() -> None:
    assert asked(ETHENE, level("B3LYP"), DFTRequest()) == []
    assert asked(WATER, level("B3LYP"), DFTRequest(), hours=1e-9) == []
    (told,) = asked(LONG, level("B3LYP"), DFTRequest(task="optimise", force=True))
    assert "days" in told.data["text"]
    (told,) = asked(LONG, level("PBE", "STO-3G"), DFTRequest(), hours=1000)
    assert told.data["seconds"] > 60


def test_what_is_remembered_is_not_refused() -> None:
    kg = KnowledgeGraph(open_store("memory:"))
    at = level("HF", "STO-3G")

    async def ask(hours: float) -> Any:
        executor = Executor(kg, threads_per_calculation=1)
        try:
            return await run_dft(ETHENE, at, DFTRequest(), executor, hours=hours)
        finally:
            await executor.aclose()

    with pytest.raises(ResourceError, match="the limit is 1e-09 hours"):
        asyncio.run(ask(1e-9))
    assert asyncio.run(ask(24.0)).status == "finished"
    assert asyncio.run(ask(1e-9)).status == "finished"


def test_force_does_not_change_what_is_remembered() -> None:
    from workflows.dft.properties.energy import single_point

    assert "force" not in single_point.signature.parameters
    assert DFTRequest(force=True).goal().text == DFTRequest().goal().text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "a second"),
        (42, "42 seconds"),
        (100, "1.7 minutes"),
        (7200, "2 hours"),
        (260_000, "3 days"),
        (4e7, "463 days"),
        (1e8, "3.2 years"),
    ],
)
def test_times_are_spelt(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_amounts_are_spelt() -> None:
    assert storage(350) == "0.3 GB"
    assert storage(40_200) == "40 GB"


def test_the_progress_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = asked(LONG, level("B3LYP"), DFTRequest(task="optimise", force=True))
    Progress()(told)
    assert f"C166H334: estimated {told.data['text']}" in capsys.readouterr().err


def test_comparisons_are_estimated_by_the_same_code() -> None:
    """The dimer and what it is made of, as many beside each other as there are cores."""
    at = LevelRequest(method="HF", basis="STO-3G")
    pair = ConceptualAtoms(
        numbers=[*WATER.numbers, *WATER.numbers],
        positions=[*WATER.positions, *WATER.moved_to(WATER.positions + 2.0).positions],
    )
    kg = KnowledgeGraph(open_store("memory:"))

    async def ask(hours: float, *, force: bool = False) -> list[str]:
        executor = Executor(kg, threads_per_calculation=1)
        try:
            bound = InteractionRequest(force=force)
            energy = await asked_of("counterpoise", pair, bound, at, executor, hours=hours)
            wanted = SpinStatesRequest(multiplicities=(1, 3), force=force)
            scan = await asked_of("spin-states", ETHENE, wanted, at, executor, hours=hours)
            return [energy.status, scan.status]
        finally:
            await executor.aclose()

    with pytest.raises(ResourceError, match=r"an interaction energy of H4O2 .* 3 calcul"):
        asyncio.run(ask(1e-9))
    assert kg.find(Run) == []
    assert asyncio.run(ask(1e-9, force=True)) == ["finished", "finished"]
    assert asyncio.run(ask(1e-9)) == ["finished", "finished"]  # it is remembered


def test_several_calculations_take_as_long_as_the_slots_let_them() -> None:
    at, request = level("B3LYP"), DFTRequest()
    part = MoleculeCost(LONG, at, request)
    (alone,) = asked(LONG, at, DFTRequest(force=True))
    told: list[Event] = []

    async def ask() -> None:
        slots = Slots(total_cores=2, slots=2, memory=16_000, gpus=[])
        executor = Executor(KnowledgeGraph(open_store("memory:")), slots, listener=told.append)
        try:
            check([part] * 4, "all of it", executor, force=True)
        finally:
            await executor.aclose()

    asyncio.run(ask())
    (four,) = [event for event in told if event.kind == "estimate"]
    one = estimate(LONG, at, request, 1, 8000.0).seconds
    assert four.data["seconds"] == pytest.approx(4 * one / 2)
    assert alone.data["seconds"] < four.data["seconds"]


@pytest.mark.parametrize("method", ["HF", "M06-2X"])
@pytest.mark.parametrize("basis", estimating.MODEST)
def test_what_is_not_counted_takes_no_minute(method: str, basis: str) -> None:
    width = range(4)
    places = [(x, y, z) for x in width for y in width[:3] for z in width[:2]][: estimating.FEW]
    crowd = ConceptualAtoms(
        numbers=[estimating.LIGHT] * estimating.FEW, positions=1.1 * np.array(places)
    )
    grid = {} if method == "HF" else {"grid_level": estimating.COARSE}
    at = level(method, basis, "unrestricted", **grid)
    assert at.basis == basis
    found = estimate(crowd, at, DFTRequest())
    assert found.seconds < TOLD
    assert found.memory < 2 * estimating.BASE
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store), Slots(total_cores=1, gpus=[]))
        try:
            assert check([MoleculeCost(crowd, at, DFTRequest())], "its energy", executor) is None
            more = check(
                [MoleculeCost(crowd, at, fill(DFTRequest, {"stability": True}))], "more", executor
            )
            assert more is not None
        finally:
            executor.close()


def test_neighbours_of_many_atoms_are_counted_for_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 100,000 atoms is refused in seconds, and held up everybody for minutes before."""
    from workflows.dft.request import size

    places = np.stack(np.meshgrid(*[np.arange(13)] * 3), -1).reshape(-1, 3) * 1.5
    ones = np.ones(len(places))
    some = size._neighbours(places, ones, ones)
    monkeypatch.setattr(size, "ALL", len(places))
    assert some == pytest.approx(size._neighbours(places, ones, ones), rel=0.02)
    many = np.stack(np.meshgrid(np.arange(50), np.arange(50), np.arange(40)), -1).reshape(-1, 3)
    pairs, felt = size._neighbours(many, np.ones(len(many)), np.ones(len(many)))
    assert pairs > 1e7
    assert felt > 100
