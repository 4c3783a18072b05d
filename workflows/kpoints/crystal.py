"""Kohn–Sham of crystals by PySCF: GTH pseudopotentials, densities by fast Fourier transforms."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR, HARTREE
from ontologies.kpoints import PeriodicKohnSham
from ontologies.units import Floats
from triplestore.errors import GraficoError, InputError, NotConvergedError, RecipeError
from workflows.crystal.calculations import CrystalCalculations
from workflows.crystal.surface import CrystalSurface, Solved, check_crystal, is_metal

from .functions import remembering
from .levels import FUNCTIONALS, PYSCF

SCF = 1e-9
"""Eh. How far the energy may still change."""

GAP = 0.05
"""eV. Where the bands are nearer, electrons need a smearing, which there is not here."""


def check_elements(atoms: ConceptualAtoms, level: PeriodicKohnSham) -> None:
    """Check that there are functions and a pseudopotential for all elements.

    Raises:
        InputError: there are none for one, or the structure is no crystal of paired electrons.
    """
    from pyscf.pbc.gto import basis, pseudo

    asked = f"{level.label} of {atoms.formula} was asked for"
    check_crystal(atoms, asked)
    if is_metal(atoms):
        raise InputError(
            asked,
            "it is a metal, which needs smeared electrons, and these are not in this version",
            "take another program (VASP, CP2K, Quantum ESPRESSO), or cut a cluster out of it",
        )
    for symbol in sorted(set(atoms.symbols)):
        try:
            basis.load(level.basis, symbol)
            pseudo.load(FUNCTIONALS[level.method][1], symbol)
        except Exception as error:  # PySCF raises whatever it stumbles over
            raise InputError(
                asked,
                f"for {symbol} there is no {level.basis}, or no pseudopotential",
                "ask for another basis set, such as gth-dzvp-molopt-sr, or for GFN1-xTB",
            ) from error


class PeriodicMeanField(CrystalSurface[PeriodicKohnSham]):
    """The Kohn–Sham equations of a crystal, at one geometry after the other.

    The grid keeps as many points as it has for the first cell, so that energies of other cells are
    compared at the same functions of it; k-points move along with the cell.

    Raises:
        InputError: see `check_elements`.
    """

    def __init__(self, atoms: ConceptualAtoms, level: PeriodicKohnSham) -> None:
        super().__init__(atoms, level)
        check_elements(atoms, level)
        self._mesh: Any = None
        self._density: Any = None
        self._values = remembering()

    def energy_at(self, positions: Floats, cell: Floats) -> float:
        with self._failures():
            return float(self._field(positions, cell).e_tot)

    def _solve(self, positions: Floats, cell: Floats) -> Solved:
        """Solve them; see `_field`."""
        with self._failures():
            field = self._field(positions, cell)
            gap, slopes = _gap(field), field.nuc_grad_method()
            gradient = np.array(slopes.kernel(), float)
            stress = np.array(slopes.get_stress(), float)
        return Solved(float(slopes.base.e_tot), gradient, (stress + stress.T) / 2, gap)

    @contextmanager
    def _failures(self) -> Generator[None]:
        """Turn whatever PySCF stumbles over into an error that helps, and forget the geometry."""
        try:
            yield
        except (GraficoError, MemoryError):
            raise
        except Exception as error:
            raise RecipeError(
                self.asked,
                f"PySCF failed: {type(error).__name__}: {error}",
                "check the structure, or ask for another basis set or GFN1-xTB",
            ) from error
        finally:
            self._values.forget()

    def _field(self, positions: Floats, cell: Floats) -> Any:
        """Return the mean field of PySCF, solved.

        Raises:
            InputError: there is no gap.
            NotConvergedError: the SCF did not converge.
            RecipeError: PySCF failed.
        """
        from pyscf.pbc import dft, gto

        level = self.level
        functional, potential = FUNCTIONALS[level.method]
        crystal = gto.Cell(
            atom=list(zip(self.atoms.symbols, positions / BOHR, strict=True)),
            a=cell / BOHR,
            unit="bohr",
            basis=level.basis,
            pseudo=potential,
            ke_cutoff=level.grid_cutoff,
            mesh=self._mesh,
            verbose=0,
        ).build(dump_input=False, parse_arg=False)
        self._mesh = crystal.mesh
        field: Any = dft.KRKS(crystal, crystal.make_kpts(level.k_points.tolist()))
        field.xc, field.conv_tol = functional, SCF
        field._numint = field.with_df._numint = self._values  # no other way
        field.kernel(self._density)
        if not field.converged:
            raise NotConvergedError(
                self.asked,
                "the SCF did not converge",
                "check the structure (what has no gap is not computed here); more k-points, "
                "another basis set or GFN1-xTB may help",
            )
        self._density = field.make_rdm1()
        self._check_gap(field)
        return field

    def _check_gap(self, field: Any) -> None:
        """Refuse what has no gap."""
        gap = _gap(field)
        if gap is not None and gap < GAP:
            raise InputError(
                self.asked,
                f"its bands leave a gap of {gap:.2f} eV: a metal needs smeared electrons, which "
                "there are not in this version",
                "check the structure, take more k-points, or cut a cluster out of it",
            )


def _gap(field: Any) -> float | None:
    """Return the gap of a mean field over its k-points in eV; None where no orbital is empty."""
    pairs = [(e[o > 0].max(), e[o == 0].min()) for e, o in zip(field.mo_energy, field.mo_occ)  # noqa: B905
             if (o == 0).any()]  # fmt: skip
    if not pairs:
        return None
    return float(min(low for _, low in pairs) - max(high for high, _ in pairs)) * HARTREE["eV"]


_OF_CRYSTALS = CrystalCalculations(__name__, "kpoints", PYSCF, PeriodicMeanField)

cell_energy = _OF_CRYSTALS.cell_energy()
crystal_energy = _OF_CRYSTALS.crystal_energy()
relax_crystal = _OF_CRYSTALS.relax_crystal()
