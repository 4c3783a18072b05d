"""Mean fields on a graphics card: GPU4PySCF does the heavy parts, PySCF everything else.

The mean field that the rest sees stays PySCF's own, with NumPy arrays. Its SCF, gradient, second
derivatives and excited states are handed to a twin on the card, made anew for each solution, and
what comes back is put where PySCF would have put it. What the card cannot do is done on the
processor, and said. What can and what cannot was read in the source of GPU4PySCF 1.9.0.

Source: R. Li et al., J. Phys. Chem. A 129, 1459 (2025), doi:10.1021/acs.jpca.4c05876; X. Wu et al.,
WIREs Comput. Mol. Sci. 15, e70008 (2025), doi:10.1002/wcms.70008.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportMissingImports=false

from __future__ import annotations

import importlib
import importlib.metadata
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ontologies.units import Floats
from triplestore.errors import ComponentError, MemoryLimitError
from workflows.engine import context

from ..level.solvents import continuum_of
from .response import orbital_response

PACKAGE = "gpu4pyscf"

HIGHEST = 4
"""g. Integrals of higher shells GPU4PySCF leaves to the processor, or refuses."""

PARTS = {
    "scf": "the SCF",
    "gradient": "the gradient",
    "hessian": "the second derivatives",
    "excitations": "the excited states",
    "response": "the response of the orbitals",
    "newton": "Newton steps of the SCF",
    "stability": "the stability analysis",
    "fermi": "fractional occupation in the SCF",
}
"""Parts of a calculation, in words."""

ON_CARD = ("scf", "gradient", "hessian", "excitations")
"""Those that a card can do."""


def refused(mf: Any, part: str) -> str | None:
    """Return why the card cannot do a part for a mean field, or None if it can.

    Args:
        mf: PySCF's mean field, complete.
        part: of `PARTS`.
    """
    from pyscf.dft import libxc

    mol, open_shell = mf.mol, bool(mf.istype("ROHF"))
    highest = int(mol._bas[:, 1].max(initial=0))
    if part not in ON_CARD:
        return "it is left to PySCF"
    if min(mol.nelec) == 0:
        return "there are electrons of one spin alone"
    if highest > HIGHEST:
        return f"the basis set has shells of l = {highest}, GPU4PySCF goes to {HIGHEST}"
    if mf.istype("KohnShamDFT") and libxc.needs_laplacian(mf.xc):
        return "GPU4PySCF has no functionals of the density's Laplacian"
    if open_shell and part != "scf":
        return "GPU4PySCF does only the SCF of restricted open shells"
    if open_shell and mf.damp:
        return "GPU4PySCF does not damp restricted open shells"
    return None


def to_device(mf: Any) -> Any:
    """Return a mean field that computes where the running calculation may.

    On a processor that is the mean field itself, and nothing of CUDA is imported.

    Args:
        mf: PySCF's mean field that has not run: functional, grid, dispersion, density fitting and
            continuum are in it.

    Raises:
        ComponentError: a card was given, and GPU4PySCF cannot be loaded.
    """
    if context().device == "cpu":
        return mf
    from pyscf import lib

    _load()
    mf._aside, mf._twin = {}, None
    return lib.set_class(mf, (OnCard, mf.__class__), f"{OnCard.__name__}{type(mf).__name__}")


def on_processor(mf: Any) -> list[str]:
    """Return what a mean field that was given a card did on the processor, in sentences."""
    return [f"not on the graphics card: {text}" for text in mf.__dict__.get("_aside", {})]


def to_numpy(value: Any) -> Any:
    """Return what a card computed as NumPy arrays and Python's numbers, however it is nested."""
    if isinstance(value, (list, tuple)):
        return type(value)(to_numpy(one) for one in value)
    return value.get() if hasattr(value, "get") and hasattr(value, "dtype") else value


class OnCard:
    """What sits on PySCF's class of a mean field and hands the heavy parts to the card."""

    __name_mixin__ = "OnCard"
    _keys = frozenset({"_aside", "_twin"})
    mol: Any
    mo_coeff: Any
    _aside: dict[str, None]
    _twin: tuple[Any, Any] | None

    def scf(self, dm0: Any = None, **options: Any) -> Any:
        """Run the SCF."""
        mf: Any = self
        if type(mf).__bases__[0] is not OnCard:  # a solver of its own sits on top
            self._beside("fermi" if mf.istype("_SmearingSCF") else "newton")
            return super().scf(dm0, **options)  # pyright: ignore
        if not self._may("scf"):
            return super().scf(dm0, **options)  # pyright: ignore
        if dm0 is None:
            known = mf.mo_coeff is not None and mf.mo_occ is not None
            dm0 = mf.make_rdm1() if known else mf.get_init_guess(mf.mol, mf.init_guess)
        with _on_card(mf, "scf") as cupy:
            twin = make_twin(mf)
            twin.callback = _follow(mf.callback)
            twin.kernel(dm0=cupy.asarray(np.asarray(dm0)))
            twin.callback = None
            _collect(mf, twin)
        self._twin = (mf.mo_coeff, twin)
        return mf.e_tot

    kernel = scf

    def nuc_grad_method(self) -> Any:
        """Return what computes the gradient."""
        return Gradient(self) if self._may("gradient") else super().nuc_grad_method()  # pyright: ignore

    Gradients = nuc_grad_method

    def Hessian(self) -> Any:
        """Return what computes second derivatives."""
        return GpuHessian(self) if self._may("hessian") else super().Hessian()  # pyright: ignore

    def TDA(self, **options: Any) -> Any:
        """Return the response equations within the Tamm–Dancoff approximation."""
        return self._excited("TDA", super().TDA, options)  # pyright: ignore

    def TDDFT(self, **options: Any) -> Any:
        """Return the response equations of density functional theory."""
        return self._excited("TDDFT", super().TDDFT, options)  # pyright: ignore

    def TDHF(self, **options: Any) -> Any:
        """Return the response equations of Hartree–Fock theory."""
        return self._excited("TDHF", super().TDHF, options)  # pyright: ignore

    def _excited(self, name: str, make: Callable[..., Any], options: dict[str, Any]) -> Any:
        from pyscf import lib

        td = make(**options)
        if not self._may("excitations"):
            return td
        td._card = (name, options)
        return lib.set_class(td, (Excited, td.__class__), f"OnCard{type(td).__name__}")

    def gen_response(self, *args: Any, **options: Any) -> Any:
        """Return PySCF's response of the orbitals."""
        self._beside("response")
        return super().gen_response(*args, **options)  # pyright: ignore

    def stability(self, *args: Any, **options: Any) -> Any:
        """Analyse the stability of the solution with PySCF."""
        self._beside("stability")
        return super().stability(*args, **options)  # pyright: ignore

    def reset(self, mol: Any = None) -> Any:
        """Forget what belongs to a geometry."""
        self._twin = None
        return super().reset(mol)  # pyright: ignore

    def _may(self, part: str) -> bool:
        """Whether the card does a part; what it does not is noted."""
        if refused(self, part) is None:
            return True
        self._beside(part)
        return False

    def _beside(self, part: str) -> None:
        """Note that the processor does a part, and see that it can go on from the card's SCF."""
        mf: Any = self
        self._aside[f"{PARTS[part]} ({refused(mf, part)})"] = None
        solved = mf.mo_coeff is not None and mf.converged
        if solved and mf.istype("KohnShamDFT") and mf.grids.coords is None:
            mf.initialize_grids(mf.mol, mf.make_rdm1())


class Gradient:
    """The gradient of the energy, on the card.

    Args:
        mf: a converged mean field.
    """

    def __init__(self, mf: Any) -> None:
        self.base, self.mol = mf, mf.mol
        self.de: Any = None

    def kernel(self) -> Any:
        """Return it in Eh/bohr, shape (atoms, 3)."""
        with _on_card(self.base, "gradient"):
            self.de = np.asarray(to_numpy(twin_of(self.base).nuc_grad_method().kernel()), float)
        return self.de


class GpuHessian:
    """Second derivatives of the energy, on the card.

    Args:
        mf: a converged mean field.
    """

    def __init__(self, mf: Any) -> None:
        self.base, self.mol = mf, mf.mol
        self.changes: list[Any] = []

    def kernel(self) -> Any:
        """Return them in Eh/bohr², shape (atoms, atoms, 3, 3).

        The card solves for the response of the orbitals, too, and what it finds is looked at and
        bettered where need be, as on the processor.

        Raises:
            MemoryLimitError: the card's memory ran out.
            NotConvergedError: the response could not be found.
        """
        with _on_card(self.base, "hessian") as cupy:
            twin = twin_of(self.base)
            if hasattr(twin, "cphf_grids"):
                twin.cphf_grids = None  # its own is coarser than the level's
            solver = twin.Hessian()
            solve = solver.solve_mo1

            def bettered(*args: Any, **options: Any) -> Any:
                near = solve(*args, **options)
                return self._better(cupy, twin, args, near)

            solver.solve_mo1 = bettered
            gradient = np.asarray(to_numpy(solver.kernel()), float)
        self.base._twin = None  # others want the grid that was taken away
        return gradient

    def _better(self, cupy: Any, twin: Any, args: Sequence[Any], near: Any) -> Any:
        """Return a response as the card gave it, in orbitals, that fulfils the equations."""
        _, orbitals, occupations, forces = args[:4]
        felt = twin.gen_response(orbitals, occupations, hermi=1)

        def respond(densities: Floats) -> Floats:
            return np.asarray(to_numpy(felt(cupy.asarray(densities))))

        def spins(given: Any) -> list[Floats]:
            parts = [given] if np.ndim(self.base.mo_occ) == 1 else given
            return [np.asarray(to_numpy(part), float) for part in parts]

        self.changes, shifts = orbital_response(
            self.base, spins(forces), respond, start=spins(near[0])
        )
        back = [[cupy.asarray(one) for one in parts] for parts in (self.changes, shifts)]
        return tuple(parts[0] if len(parts) == 1 else tuple(parts) for parts in back)


SETTINGS = (
    "nstates",
    "singlet",
    "max_cycle",
    "conv_tol",
    "lindep",
    "level_shift",
    "positive_eig_threshold",
    "deg_eia_thresh",
)
"""Of PySCF's response equations, those that the card's know too."""


class Excited:
    """What sits on PySCF's response equations and has them solved on the card."""

    __name_mixin__ = "OnCard"
    _keys = frozenset({"_card"})

    def kernel(self, x0: Any = None, nstates: int | None = None) -> Any:
        """Solve them; energies in Eh, and amplitudes."""
        td: Any = self
        if nstates is not None:
            td.nstates = nstates
        name, options = td._card
        with _on_card(td._scf, "excitations"):
            solver = getattr(twin_of(td._scf), name)(**options)
            for setting in SETTINGS:
                setattr(solver, setting, getattr(td, setting))
            own = getattr(td, "with_solvent", None)
            if own is not None and not own.equilibrium_solvation:
                solver.with_solvent.eps = own.eps
                solver.with_solvent.reset()
                solver.with_solvent.build()
            solver.kernel()
            td.e = np.asarray(to_numpy(solver.e), float)
            td.converged = np.asarray(to_numpy(solver.converged), bool)
            td.xy = to_numpy(solver.xy)
        return td.e, td.xy


def make_twin(mf: Any) -> Any:
    """Return the same mean field on the card."""
    from pyscf import lib

    twin = lib.view(mf, lib.drop_class(type(mf), OnCard)).to_gpu()
    twin.chkfile = None
    twin.damp, twin.level_shift = mf.damp or None, mf.level_shift or None  # 0 is some to it
    return twin


def twin_of(mf: Any) -> Any:
    """Return the twin that has this solution: that of its SCF, or one made of it."""
    if mf._twin is None or mf._twin[0] is not mf.mo_coeff:
        twin = make_twin(mf)
        twin.callback = None
        mf._twin = (mf.mo_coeff, twin)
    return mf._twin[1]


def _follow(callback: Any) -> Any:
    """Return what a twin calls in each cycle, to tell whoever follows PySCF's."""
    if callback is None:
        return None

    def told(values: dict[str, Any]) -> None:
        here = {"cycle": values["cycle"], "e_tot": float(values["e_tot"])}
        callback({**here, "dm": np.asarray(to_numpy(values["dm"]))})

    return told


def _collect(mf: Any, twin: Any) -> None:
    """Put what a twin's SCF came to where PySCF's would have put it."""
    from pyscf import lib

    mf.converged, mf.e_tot, mf.cycles = bool(twin.converged), float(twin.e_tot), int(twin.cycles)
    mf.mo_coeff, mf.mo_occ = (np.asarray(to_numpy(x)) for x in (twin.mo_coeff, twin.mo_occ))
    mf.mo_energy = np.asarray(to_numpy(twin.mo_energy))
    spins = {
        name: np.asarray(to_numpy(getattr(twin.mo_energy, name)))
        for name in ("mo_ea", "mo_eb")
        if hasattr(twin.mo_energy, name)
    }
    if spins:
        mf.mo_energy = lib.tag_array(mf.mo_energy, **spins)
    parts = {name: float(to_numpy(value)) for name, value in twin.scf_summary.items()}
    mf.scf_summary.update(parts)
    if (solvent := continuum_of(mf)) is not None:
        solvent.e = float(to_numpy(twin.with_solvent.e))
        solvent.v = np.asarray(to_numpy(twin.with_solvent.v))
        if "e_cds" in parts:
            solvent.e_cds = parts["e_cds"]


def _load() -> Any:
    """Load GPU4PySCF within this slot's share of the card; return CuPy.

    Raises:
        ComponentError: it or CUDA is missing or broken.
    """
    try:
        import cupy

        importlib.import_module(PACKAGE)
    except (ImportError, OSError) as error:
        raise ComponentError(
            "a calculation on a graphics card was asked for",
            f"GPU4PySCF cannot be loaded: {error}",
            "pip install 'grafico-chem[gpu]' (CUDA 12) or 'grafico-chem[gpu13]' (CUDA 13) with a "
            "driver to match, or hide the card: CUDA_VISIBLE_DEVICES=''",
        ) from error
    limit = os.environ.get("CUPY_GPU_MEMORY_LIMIT")
    if limit:  # GPU4PySCF has set it to nine tenths of the whole card
        cupy.get_default_memory_pool().set_limit(size=int(limit))
    return cupy


@contextmanager
def _on_card(mf: Any, part: str) -> Generator[Any]:
    """Run a part on the card, and see to it that the record says so.

    Raises:
        MemoryLimitError: the card's memory ran out.
    """
    cupy = _load()
    context().computed_on_card(packages())
    try:
        yield cupy
    except Exception as error:
        if not ran_out(error):
            raise
        mf._twin = None
        raise MemoryLimitError(
            f"cannot compute {PARTS[part]} of {mf.mol.natm} atoms with {mf.mol.nao} basis "
            "functions on a graphics card",
            f"the card's memory ran out: {error}",
            "let fewer calculations share a card (slots = 1), use density fitting or a smaller "
            "basis set, or hide the card to compute on the processor: CUDA_VISIBLE_DEVICES=''",
        ) from error


def ran_out(error: BaseException) -> bool:
    """Whether an error says that the memory of a card was not enough.

    CuPy's is a `MemoryError`. GPU4PySCF says it by errors of several kinds, CUDA by its own.
    """
    text = str(error).lower()
    return isinstance(error, MemoryError) or "gpu memory" in text or "out of memory" in text


def packages() -> tuple[str, ...]:
    """Return the distributions that compute on the card, for the record."""
    distributions = importlib.metadata.packages_distributions()
    return tuple(
        sorted({name for module in (PACKAGE, "cupy") for name in distributions.get(module, [])})
    )
