"""What a mean field came to is not computed twice, and what was cut off goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import Optimisation
from triplestore import open_store
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.stability import stability
from workflows.dft.properties.surface import frequencies, optimise
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import SPINS, converge, electronic
from workflows.engine import Event, Executor
from workflows.engine.execution.array_cache import MOST_FILES, ArrayCache, load, save
from workflows.engine.execution.context import Context, inside

from .structures import FORMALDEHYDE, METHYL, WATER

IONISED_NITROGEN = ConceptualAtoms(
    numbers=[7, 7], positions=[[0, 0, 0], [0, 0, 1.1]], charge=1, multiplicity=2
)


class Counting:
    """An executor, and the SCF cycles that its calculations made."""

    def __init__(self, store: Any) -> None:
        self.frames: list[Any] = []
        self.executor = Executor(
            KnowledgeGraph(store), threads_per_calculation=1, listener=self.listen
        )

    def listen(self, event: Event) -> None:
        if event.kind == "frame":
            self.frames.append(event.data)

    def stages(self) -> list[str]:
        said = [frame["stage"] for frame in self.frames]
        self.frames.clear()
        return said

    async def run(self, call: Any, **more: Any) -> tuple[Any, int]:
        self.stages()
        result = (await self.executor.run(call, **more)).result
        return result, self.stages().count("scf")

    async def level(self, method: str, reference: str = "restricted") -> LevelOfTheory:
        call = resolve_level.bind(method, "STO-3G", reference)  # pyright: ignore
        return (await self.executor.run(call)).result.level


@pytest.fixture
async def counting(tmp_path: Path) -> AsyncIterator[Counting]:
    with open_store(str(tmp_path / "store")) as store:
        counting = Counting(store)
        yield counting
        counting.executor.close()


def same(one: Any, other: Any) -> bool:
    """Whether two results are the same bit for bit, but for their names."""
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in type(one).model_fields
    )


async def test_a_hessian_takes_the_mean_field_of_a_single_point_bit_for_bit(
    counting: Counting,
) -> None:
    for level in (await counting.level("HF"), await counting.level("B3LYP")):
        point, cycles = await counting.run(single_point.bind(WATER, level))
        assert cycles > 3
        spared, cycles = await counting.run(frequencies.bind(WATER, level))
        assert cycles == 0
        assert spared.energy == point.energy
        assert spared.scf_cycles == point.scf_cycles
        fresh, cycles = await counting.run(frequencies.bind(WATER, level), recompute=True)
        assert cycles > 3
        assert same(spared, fresh)


async def test_what_is_remembered_does_not_decide_the_state(counting: Counting) -> None:
    """An optimisation of Be2 ends in another closed shell than the usual guess leads to there."""
    atoms = ConceptualAtoms(numbers=[4, 4], positions=[[0, 0, 0], [0, 0, 2.0]])
    level = await counting.level("HF")
    relaxed, _ = await counting.run(optimise.bind(atoms, level))
    point, _ = await counting.run(single_point.bind(relaxed.atoms, level))
    fresh, _ = await counting.run(single_point.bind(relaxed.atoms, level), recompute=True)
    assert point.energy == pytest.approx(fresh.energy, abs=1e-7)


async def test_another_start_never_decides_where_there_may_be_several_states(
    counting: Counting,
) -> None:
    level = await counting.level("HF", "unrestricted")
    relaxed, _ = await counting.run(optimise.bind(METHYL, level))
    point, _ = await counting.run(single_point.bind(relaxed.atoms, level))
    fresh, _ = await counting.run(single_point.bind(relaxed.atoms, level), recompute=True)
    assert same(point, fresh)


def like_new(mf: Any, other: Any) -> bool:
    """Whether two mean fields say the same bit for bit, gradient included."""
    one, two = electronic(mf), electronic(other)
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[name], two[name]) for name in one)
    assert mf.scf_summary == other.scf_summary
    pairs = [(getattr(mf.mo_energy, n, 0), getattr(other.mo_energy, n, 0)) for n in SPINS]
    assert all(np.array_equal(*pair) for pair in pairs)
    return np.array_equal(mf.nuc_grad_method().kernel(), other.nuc_grad_method().kernel())


SURROUNDED = [
    (WATER, "restricted", {"solvation": "C-PCM", "solvent": "water"}),
    (WATER, "restricted", {"solvation": "SMD", "solvent": "ethanol", "dispersion": "D3(BJ)"}),
    (METHYL, "restricted open-shell", {"density_fitting": True}),
    (IONISED_NITROGEN, "unrestricted", {"follow_instabilities": True}),
]


@pytest.mark.parametrize(("atoms", "reference", "options"), SURROUNDED)
@pytest.mark.parametrize("method", ["HF", "PBE"])
def test_all_of_a_mean_field_is_remembered(
    tmp_path: Path, atoms: ConceptualAtoms, method: str, reference: Any, options: dict[str, Any]
) -> None:
    """With what surrounds it, its spins' orbital energies, and how it was come by."""
    grid: dict[str, Any] = {} if method == "HF" else {"grid_level": 0}
    level = resolve_level(method, "STO-3G", reference, **options, **grid).level
    found: list[Any] = []
    for _ in range(2):
        with inside(Context(folder=tmp_path, memo=tmp_path / "memo")):
            found.append(converge(mean_field(molecule(atoms, level), level), atoms, level))
    assert '"remembered"' in (tmp_path / "frames.jsonl").read_text()
    assert like_new(*found)


async def test_rungs_and_instabilities_are_remembered(counting: Counting) -> None:
    level = (await counting.level("HF", "unrestricted")).model_copy(
        update={"follow_instabilities": True, "scf_ladder": ("damping",)}
    )
    point, cycles = await counting.run(single_point.bind(IONISED_NITROGEN, level))
    assert cycles > 3
    assert point.scf_path == ("damping", "instability followed")
    spared, cycles = await counting.run(frequencies.bind(IONISED_NITROGEN, level))
    assert cycles == 0
    assert (spared.energy, spared.stability) == (point.energy, "stable")
    assert (spared.scf_path, spared.scf_cycles) == (point.scf_path, point.scf_cycles)
    fresh, cycles = await counting.run(frequencies.bind(IONISED_NITROGEN, level), recompute=True)
    assert cycles > 3
    assert same(spared, fresh)
    analysed, cycles = await counting.run(stability.bind(IONISED_NITROGEN, level))
    assert cycles == 0
    assert (analysed.internal, analysed.stable_energy) == (True, point.energy)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


async def test_an_optimisation_that_was_cut_off_goes_on_from_its_last_geometry(
    counting: Counting, tmp_path: Path
) -> None:
    level = await counting.level("HF")
    call = optimise.bind(FORMALDEHYDE, level)
    job = asyncio.ensure_future(counting.executor.run(call))
    await until(lambda: [f["stage"] for f in counting.frames].count("optimise") >= 2)
    job.cancel()
    await asyncio.gather(job, return_exceptions=True)
    before = load(tmp_path / "store" / "tasks" / call.key / "checkpoint")
    assert before is not None
    done = len(before["energies"])
    assert done >= 2
    counting.executor.close()
    counting.executor = Executor(
        counting.executor.kg, threads_per_calculation=1, listener=counting.listen
    )
    counting.stages()
    result = (await counting.executor.run(call)).result
    assert isinstance(result, Optimisation)
    made = counting.stages().count("optimise")
    assert result.steps == len(result.energies) == done - 1 + made
    assert result.energies[: done - 1].tolist() == before["energies"][:-1].tolist()
    whole = (await counting.executor.run(call, recompute=True)).result
    assert counting.stages().count("optimise") == whole.steps
    assert result.energy == pytest.approx(whole.energy, abs=2e-6)
    assert list((tmp_path / "store" / "tasks").iterdir()) == []


def test_a_memo_is_bounded_and_a_broken_file_is_no_memory(tmp_path: Path) -> None:
    memo = ArrayCache(tmp_path)
    for number in range(MOST_FILES + 10):
        memo.put(f"{number:03d}", {"x": np.arange(number)})
    assert len(list(tmp_path.iterdir())) == MOST_FILES
    last = memo.get(f"{MOST_FILES + 9:03d}")
    assert last is not None
    assert len(last["x"]) == MOST_FILES + 9
    for broken in (b"", b"PK\x03\x04 nonsense", b"\x80\x04."):
        (tmp_path / "bad.npz").write_bytes(broken)
        assert memo.get("bad") is None
    save(tmp_path / "objects.npz", {"x": np.arange(3)})
    assert ArrayCache(None).get("objects") is None
    ArrayCache(tmp_path / "gone" / "away").put("x", {"x": 1})
