"""Calculations on a graphics card: what goes there, what does not, and who says so.

Without a card, the twin that would compute there is PySCF on the processor, and CuPy is NumPy: what
is tested then is that Grafico hands over and takes back the right things. The parity with a real
card is tested where there is one: `make test-gpu`.
"""

from __future__ import annotations

import asyncio
import importlib.machinery
import importlib.util
import json
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pyscf import gto, lib, scf

from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.provenance import Activity
from triplestore import open_store
from triplestore.errors import ComponentError, MemoryLimitError
from workflows.dft.level.resolving import PYSCF, resolve_level
from workflows.dft.properties.analysis import analyse
from workflows.dft.properties.derivatives import analytic
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.excitation import excitations
from workflows.dft.properties.stability import stability
from workflows.dft.properties.surface import frequencies, optimise
from workflows.dft.properties.thermo import thermochemistry
from workflows.dft.scf import gpu
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import converge, electronic
from workflows.engine import Executor, Slots
from workflows.engine.execution.context import Context, inside
from workflows.engine.local.devices import Gpu, find_gpus
from workflows.engine.local.pool import environment
from workflows.engine.local.slots import Lease
from workflows.molecule.embedding import embed

from .structures import FORMALDEHYDE, HYDROGEN, METHYL, WATER, level

CARD = "GPU-a"
HAS_CARD = importlib.util.find_spec("gpu4pyscf") is not None and bool(find_gpus())
needs_card = pytest.mark.skipif(not HAS_CARD, reason="needs a graphics card and GPU4PySCF")


def solved(atoms: ConceptualAtoms, at: LevelOfTheory, device: str = "cpu") -> tuple[Any, Context]:
    """Return a converged mean field and its surroundings, which say where it computed."""
    surroundings = Context(device=device)
    with inside(surroundings):
        return converge(mean_field(molecule(atoms, at), at), atoms, at), surroundings


# --- without a card ------------------------------------------------------------------------------


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let PySCF play the card; returns the solvers that ran there, in order."""
    module = types.ModuleType("gpu4pyscf")
    module.__spec__ = importlib.machinery.ModuleSpec("gpu4pyscf", None)
    monkeypatch.setitem(sys.modules, "gpu4pyscf", module)
    monkeypatch.setitem(sys.modules, "cupy", np)
    ran: list[str] = []

    def to_gpu(self: Any) -> Any:
        twin = self.copy()
        twin.damp = twin.level_shift = 0
        ran.append(type(twin).__name__)
        return lib.set_class(twin, (Twin, type(twin)))

    for cls in {scf.hf.SCF, *_subclasses(scf.hf.SCF)}:
        if "to_gpu" in cls.__dict__:
            monkeypatch.setattr(cls, "to_gpu", to_gpu)
    from pyscf.df.df_jk import _DFHF
    from pyscf.solvent._attach_solvent import SCFWithSolvent

    for mixin in (_DFHF, SCFWithSolvent):
        monkeypatch.setattr(mixin, "to_gpu", to_gpu)
    return ran


class Twin:
    """PySCF's mean field playing the card's, which takes None for no damping and no shift."""

    damp: Any
    level_shift: Any
    exact = 1.0
    """What the card's response is multiplied by: it may be wrong."""

    def scf(self, dm0: Any = None, **options: Any) -> Any:
        self.damp, self.level_shift = self.damp or 0, self.level_shift or 0
        return super().scf(dm0, **options)  # pyright: ignore

    kernel = scf

    def Hessian(self) -> Any:
        solver = super().Hessian()  # pyright: ignore
        return lib.set_class(solver, (TwinHessian, type(solver)))


class TwinHessian:
    """PySCF's second derivatives, with forces and response in orbitals as GPU4PySCF has them."""

    base: Any
    make_h1: Any

    def solve_mo1(self, energies: Any, orbitals: Any, occupations: Any, forces: Any) -> Any:
        over = self.base.get_ovlp() @ orbitals
        given = np.einsum("pa,kxai,qi->kxpq", over, forces, over[:, occupations > 0])
        changes, shifts = super().solve_mo1(  # pyright: ignore
            energies, orbitals, occupations, list(given)
        )
        return Twin.exact * np.einsum("pa,kxpi->kxai", over, np.asarray(changes)), shifts

    def hess_elec(self, *args: Any, **options: Any) -> Any:
        mf = self.base
        orbitals = (mf.mo_energy, mf.mo_coeff, mf.mo_occ)
        forces = self.make_h1(mf.mo_coeff, mf.mo_occ)
        filled = mf.mo_coeff[:, mf.mo_occ > 0]
        inside = np.einsum("pa,kxpq,qi->kxai", mf.mo_coeff, np.asarray(forces), filled)
        changes, shifts = self.solve_mo1(*orbitals, inside)
        over = list(np.einsum("pa,kxai->kxpi", mf.mo_coeff, changes))
        return super().hess_elec(*orbitals, mo1=over, mo_e1=shifts, h1ao=forces)  # pyright: ignore


def _subclasses(cls: type) -> Iterator[type]:
    for one in cls.__subclasses__():
        yield one
        yield from _subclasses(one)


LEVELS = [
    (WATER, {}),
    (WATER, {"method": "B3LYP-D3BJ", "density_fitting": True}),
    (WATER, {"solvent": "water", "solvation": "SMD"}),
    (METHYL, {"method": "PBE", "reference": "unrestricted"}),
    (METHYL, {"reference": "restricted open-shell"}),
]


@pytest.mark.parametrize(("atoms", "asked"), LEVELS, ids=lambda one: str(one)[:40])
def test_what_the_twin_computes_is_what_pyscf_would_have(
    played: list[str], atoms: ConceptualAtoms, asked: dict[str, Any]
) -> None:
    at = level(**asked)
    plain, _ = solved(atoms, at)
    mf, where = solved(atoms, at, CARD)
    assert played, "nothing went to the card"
    assert where.card is not None
    assert mf.e_tot == pytest.approx(plain.e_tot, abs=1e-8)
    assert mf.converged
    ours, theirs = electronic(mf), electronic(plain)
    assert ours.keys() == theirs.keys()
    assert np.allclose(ours["dipole"], theirs["dipole"], atol=1e-4)
    for name in ("homo", "lumo", "spin_squared", "dispersion_energy", "solvation_energy"):
        expected = theirs[name]
        assert ours[name] == (None if expected is None else pytest.approx(expected, abs=1e-5))
    gradient = mf.nuc_grad_method().kernel()
    assert np.allclose(gradient, plain.nuc_grad_method().kernel(), atol=1e-5)


def test_without_a_card_the_mean_field_is_pyscfs_and_no_cuda_is_imported() -> None:
    mf, where = solved(WATER, level())
    assert type(mf) is scf.hf.RHF
    assert where.card is None
    assert "cupy" not in sys.modules or HAS_CARD
    assert electronic(mf)["remarks"] == ()


def test_what_the_card_cannot_do_is_done_beside_it_and_said(played: list[str]) -> None:
    at = level(reference="restricted open-shell")
    mf, _ = solved(METHYL, at, CARD)
    assert len(played) == 1
    plain, _ = solved(METHYL, at)
    assert np.allclose(mf.nuc_grad_method().kernel(), plain.nuc_grad_method().kernel(), atol=1e-5)
    assert len(played) == 1
    (said,) = electronic(mf)["remarks"]
    assert "the gradient" in said
    assert "restricted open shells" in said


def test_one_electron_goes_to_the_processor(played: list[str]) -> None:
    ion = HYDROGEN.model_copy(update={"charge": 1, "multiplicity": 2})
    mf, where = solved(ion, level(reference="unrestricted"), CARD)
    assert not played
    assert where.card is None
    assert "one spin alone" in electronic(mf)["remarks"][0]


def test_high_shells_and_laplacians_go_to_the_processor() -> None:
    def plain(basis: Any, xc: str = "") -> Any:
        mol = gto.M(atom="He", basis=basis, verbose=0)
        return mol.RKS(xc=xc) if xc else mol.RHF()

    h_shell = {"He": [[0, [1.0, 1.0]], [5, [1.0, 1.0]]]}
    assert "l = 5" in (gpu.refused(plain(h_shell), "scf") or "")
    assert "Laplacian" in (gpu.refused(plain("sto-3g", "MGGA_X_BR89,"), "scf") or "")
    assert gpu.refused(plain("sto-3g", "b3lyp"), "scf") is None


def test_all_parts_are_known() -> None:
    mf = gto.M(atom="He", basis="sto-3g", verbose=0).RHF()
    assert set(gpu.ON_CARD) < set(gpu.PARTS)
    for part in gpu.PARTS:
        assert (gpu.refused(mf, part) is None) == (part in gpu.ON_CARD)
    from pyscf.tdscf.rhf import TDBase

    assert all(hasattr(TDBase, setting) for setting in gpu.SETTINGS)


@pytest.mark.parametrize(("response", "asked"), [("TDDFT", {}), ("TDA", {"solvent": "water"})])
def test_excited_states_come_back(played: list[str], response: Any, asked: dict[str, Any]) -> None:
    at = level(**asked)
    surroundings = Context(device=CARD)
    with inside(surroundings):
        found = excitations(WATER, at, 2, response)
    expected = excitations(WATER, at, 2, response)
    assert surroundings.card is not None
    assert np.allclose(found.excitation_energies, expected.excitation_energies, atol=1e-4)
    assert np.allclose(found.oscillator_strengths, expected.oscillator_strengths, atol=1e-4)
    assert found.transitions == expected.transitions
    aside = [text for text in found.remarks if "not on the graphics card" in text]
    assert aside  # what was found is looked at beside the card


def test_second_derivatives_come_back_with_the_response_of_the_dipole(played: list[str]) -> None:
    at = level()
    mf, _ = solved(WATER, at, CARD)
    plain, _ = solved(WATER, at)
    found, expected = analytic(mf), analytic(plain)
    assert np.allclose(found.hessian, expected.hessian, atol=1e-5)
    assert np.allclose(found.dipoles, expected.dipoles, atol=1e-5)
    assert electronic(mf)["remarks"] == ()


def test_a_response_of_the_card_that_misses_the_equations_is_bettered(
    played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = level("PBE")
    expected = analytic(solved(WATER, at)[0])
    monkeypatch.setattr(Twin, "exact", 0.9)
    found = analytic(solved(WATER, at, CARD)[0])
    assert np.allclose(found.hessian, expected.hessian, atol=1e-5)
    assert np.allclose(found.dipoles, expected.dipoles, atol=1e-5)


def test_newton_steps_and_smearing_stay_with_pyscf(played: list[str]) -> None:
    at = level("PBE").model_copy(update={"scf_ladder": ("second order",)})
    mf, _ = solved(WATER, at, CARD)
    plain, _ = solved(WATER, at)
    assert mf.e_tot == pytest.approx(plain.e_tot, abs=1e-7)
    assert any("response of the orbitals" in text for text in electronic(mf)["remarks"])


def test_a_card_that_runs_out_of_memory_is_told_with_advice(
    played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise RuntimeError("GPU memory insufficient for solving CPHF equations")

    monkeypatch.setattr(Twin, "kernel", full)
    with pytest.raises(MemoryLimitError) as caught:
        solved(WATER, level(), CARD)
    assert "slots = 1" in caught.value.advice
    assert gpu.ran_out(MemoryError("Out of memory allocating 8 bytes"))
    assert not gpu.ran_out(RuntimeError("RYS_build_jk kernel failed"))


def test_other_failures_of_a_card_are_not_hidden(
    played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("RYS_build_jk kernel failed")

    monkeypatch.setattr(Twin, "kernel", broken)
    with pytest.raises(RuntimeError, match="RYS_build_jk"):
        solved(WATER, level(), CARD)


@pytest.mark.skipif(HAS_CARD, reason="GPU4PySCF is installed")
def test_a_card_without_gpu4pyscf_is_an_error_not_a_fallback() -> None:
    with pytest.raises(ComponentError, match="GPU4PySCF cannot be loaded"):
        solved(WATER, level(), CARD)


# --- who asks for a card -------------------------------------------------------------------------


def test_only_what_gains_by_a_card_asks_for_one(
    played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gain = (single_point, optimise, frequencies, excitations, analyse)
    without = (resolve_level, stability, thermochemistry, embed)
    assert all(one.wants_card for one in gain)
    assert not any(one.wants_card for one in without)
    monkeypatch.delitem(sys.modules, "gpu4pyscf")
    if not HAS_CARD:
        assert not any(one.wants_card for one in gain)
    assert PYSCF.gpu == gpu.PACKAGE


def test_a_card_does_not_enter_keys() -> None:
    call = single_point.bind(WATER, level())
    twin = type(single_point)(
        single_point.function,
        single_point.name,
        single_point.version,
        PYSCF,
        gpu=False,
        title=single_point.title,
    )
    assert twin.bind(WATER, level()).key == call.key


def test_lookups_take_no_slot_of_a_card_and_the_record_says_processor(played: list[str]) -> None:
    """With a card on the list, a lookup runs on the cores."""
    slots = Slots(total_cores=2, memory=4000, gpus=[Gpu(CARD, 0, "A", 24_000)])
    kg = KnowledgeGraph(open_store("memory:"))
    told: list[str] = []

    def listen(event: Any) -> None:
        if event.kind == "started":
            told.append(event.data["device"])

    async def ask() -> Activity:
        executor = Executor(kg, slots, threads_per_calculation=1, listener=listen)
        try:
            return (await executor.run(resolve_level.bind("HF", "sto-3g", "restricted"))).activity
        finally:
            await executor.aclose()

    activity = asyncio.run(ask())
    assert told == ["cpu"]
    assert activity.device.kind == "cpu"
    assert activity.device.name


def test_a_worker_of_a_card_keeps_what_it_compiles() -> None:
    there = environment(Lease(CARD, 2, 1000, 8000))
    assert there["CUDA_VISIBLE_DEVICES"] == CARD
    assert there["CUPY_GPU_MEMORY_LIMIT"] == "8000000000"
    assert there["CUPY_CACHE_DIR"].endswith("cupy")
    assert "CUPY_CACHE_DIR" not in environment(Lease("cpu", 2, 1000))


# --- with a card: parity -------------------------------------------------------------------------

PARITY = [
    ("HF", {}),
    ("PBE", {}),
    ("B3LYP", {}),
    ("wB97X-V", {}),
    ("r2SCAN", {}),
    ("B3LYP-D3BJ", {}),
    ("B3LYP-D4", {}),
    ("HF", {"density_fitting": True}),
    ("B3LYP", {"density_fitting": True}),
    ("B3LYP", {"solvent": "water"}),
    ("B3LYP", {"solvent": "water", "solvation": "IEF-PCM"}),
    ("B3LYP", {"solvent": "toluene", "solvation": "SMD"}),
    ("B3LYP", {"solvent": "water", "density_fitting": True}),
]


@needs_card
@pytest.mark.parametrize(("method", "more"), PARITY, ids=str)
@pytest.mark.parametrize("atoms", [FORMALDEHYDE, METHYL], ids=["restricted", "unrestricted"])
def test_energies_and_gradients_agree(
    atoms: ConceptualAtoms, method: str, more: dict[str, Any]
) -> None:
    reference = "restricted" if atoms is FORMALDEHYDE else "unrestricted"
    at = level(method, "def2-svp", reference, **more)
    plain, _ = solved(atoms, at)
    mf, where = solved(atoms, at, find_gpus()[0].uuid)
    assert where.card
    assert mf.e_tot == pytest.approx(plain.e_tot, abs=1e-6)
    found, expected = (one.nuc_grad_method().kernel() for one in (mf, plain))
    assert np.allclose(found, expected, atol=1e-5)
    assert electronic(mf)["remarks"] == electronic(plain)["remarks"]


@needs_card
@pytest.mark.parametrize("basis", ["def2-svp", "def2-tzvp"])
def test_core_potentials_agree(basis: str) -> None:
    iodide = ConceptualAtoms(numbers=[53, 1], positions=[[0, 0, 0], [0, 0, 1.61]])
    at = level("PBE0", basis)
    plain, _ = solved(iodide, at)
    mf, _ = solved(iodide, at, find_gpus()[0].uuid)
    assert mf.e_tot == pytest.approx(plain.e_tot, abs=1e-6)
    assert np.allclose(analytic(mf).hessian, analytic(plain).hessian, atol=1e-4)


@needs_card
@pytest.mark.parametrize(("method", "more"), PARITY[:3] + PARITY[7:10], ids=str)
@pytest.mark.parametrize("atoms", [WATER, METHYL], ids=["restricted", "unrestricted"])
def test_second_derivatives_agree(
    atoms: ConceptualAtoms, method: str, more: dict[str, Any]
) -> None:
    at = level(method, "def2-svp", "restricted" if atoms is WATER else "unrestricted", **more)
    plain, _ = solved(atoms, at)
    mf, _ = solved(atoms, at, find_gpus()[0].uuid)
    found, expected = analytic(mf), analytic(plain)
    assert np.allclose(found.hessian, expected.hessian, atol=1e-4)
    assert np.allclose(found.dipoles, expected.dipoles, atol=1e-3)


@needs_card
@pytest.mark.parametrize("response", ["TDA", "TDDFT"])
@pytest.mark.parametrize("asked", [{}, {"solvent": "water"}], ids=str)
@pytest.mark.parametrize("method", ["PBE", "B3LYP"])
def test_excited_states_agree(method: str, response: Any, asked: dict[str, Any]) -> None:
    at = level(method, "def2-svp", **asked)
    expected = excitations(FORMALDEHYDE, at, 3, response)
    with inside(Context(device=find_gpus()[0].uuid)):
        found = excitations(FORMALDEHYDE, at, 3, response)
    assert np.allclose(found.excitation_energies, expected.excitation_energies, atol=1e-3)
    assert np.allclose(found.oscillator_strengths, expected.oscillator_strengths, atol=1e-3)


@needs_card
def test_the_record_names_card_and_versions() -> None:
    kg = KnowledgeGraph(open_store("memory:"))

    async def ask() -> Activity:
        executor = Executor(kg, threads_per_calculation=1)
        try:
            return (await executor.run(single_point.bind(WATER, level("PBE")))).activity
        finally:
            await executor.aclose()

    activity = asyncio.run(ask())
    assert (activity.device.kind, activity.device.name) == ("gpu", find_gpus()[0].name)
    names = {one.name.split("-")[0] for one in activity.software}
    assert names >= {"cupy", "gpu4pyscf", "pyscf"}, json.dumps(sorted(names))
