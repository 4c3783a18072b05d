"""Signs that an SCF came to a solution which is not the one that is meant, looked for unasked.

Where orbitals lie near each other (a bond that is stretched or twisted, a diradical), and where
electrons are unpaired, an SCF ends easily in a solution that is no minimum. There the lowest
eigenvalue of the orbital Hessian is looked for, only until it is clear on which side of a limit it
lies and on a coarse grid, which takes a few products with the Hessian; whether the energy really
falls is then tried with the orbitals turned. Nothing of the solution is changed. The measurements
behind the limits stand in docs/chemistry.md.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from triplestore.errors import NotConvergedError
from workflows.engine import context

from .instability import (
    external_mode,
    gap_of,
    internal_mode,
    is_open_shell_restricted,
    rotated_orbitals,
    separated,
)
from .meanfield import mean_field

NARROW = (0.10, 0.50)
"""Eh. The gap from which on a closed shell is looked at, without exact exchange, and what all of it
adds. (B3LYP: 0.20, Hartree–Fock: 0.60.)"""

VERY_NARROW = (0.06, 0.24)
"""Eh. Likewise the gap below which every instability counts."""

HALF = 0.5
"""Share of exact exchange from which on ordinary π systems are unstable too, if slightly."""

EVERY, MUCH = -0.01, -0.38
"""Eh. Eigenvalues that count: of nearly any method, and of Hartree–Fock where the gap is wide."""

PAIRED = 0.01
"""⟨S²⟩ below which an unrestricted singlet has come to the closed shell."""

LEAST = 1e-3
"""Eh. What lowers the energy by less is not worth a word."""

COARSE = 1
"""Level of the grid on which the Hessian is looked at."""

ANGLES = (0.2, 0.5)
"""rad. How far the orbitals are turned to try it."""


def sign_of(mf: Any, level: LevelOfTheory) -> str:
    """Return what a reader must know of the stability of a solution; empty if nothing was found.

    Args:
        mf: a converged mean field.
        level: its level of theory.
    """
    closed = level.reference == "restricted"
    singlet = closed or mf.mol.spin == 0
    collapsed = not closed and singlet and float(mf.spin_square()[0]) < PAIRED
    if level.follow_instabilities and not closed:
        return ""
    paired = closed or collapsed
    gap = gap_of(mf)
    if not np.isfinite(gap) or (paired and gap > _between(NARROW, level)):
        return ""
    limit = _limit(level, gap) if paired else EVERY
    if context().device != "cpu":  # there is no response of the orbitals on the card
        narrow = paired and gap < _between(VERY_NARROW, level)
        return _unseen(gap) if narrow else ""
    try:
        with _coarse(mf, level):
            if closed:
                value, mode = external_mode(mf, until=limit)
            else:
                value, mode = internal_mode(mf, until=limit / 2 if collapsed else limit)
        context().report("sign", gap=gap, eigenvalue=value)
        if value > (limit / 2 if collapsed else limit):
            return ""
        lower = _lower(mf, level, mode)
    except (NotImplementedError, NotConvergedError, np.linalg.LinAlgError):
        return _unseen(gap) if paired else ""
    return _said(closed, collapsed, gap, lower) if lower > LEAST else ""


def _between(span: tuple[float, float], level: LevelOfTheory) -> float:
    """Return a limit of the gap, which exact exchange makes wider."""
    return span[0] + span[1] * max(level.exact_exchange, level.long_range_exchange)


def _limit(level: LevelOfTheory, gap: float) -> float:
    """Return the eigenvalue below which a closed shell is told to be unstable.

    Hartree–Fock has every π system nearly unstable, because it leaves out the correlation of the
    pairs: that is its error, no sign of a diradical.
    """
    share = (level.exact_exchange + level.long_range_exchange) / 2
    if gap < _between(VERY_NARROW, level) or share <= HALF:
        return EVERY
    return EVERY + (MUCH - EVERY) * (share - HALF) / (1 - HALF)


def _coarse(mf: Any, level: LevelOfTheory) -> AbstractContextManager[Any]:
    """Let the Hessian be integrated on a coarse grid."""
    from pyscf import lib
    from pyscf.dft import gen_grid

    if not level.functional or (level.grid_level or 0) <= COARSE:
        return nullcontext()
    grids = gen_grid.Grids(mf.mol)
    grids.level = COARSE
    grids.build()
    return lib.temporary_env(mf, grids=grids)


def _lower(mf: Any, level: LevelOfTheory, mode: Floats) -> float:
    """Return by how much turned orbitals lower the energy, in Eh; 0 if they do not."""
    closed = level.reference == "restricted"
    loose = level.model_copy(update={"reference": "unrestricted"}) if closed else level
    trial = mean_field(mf.mol, loose)
    trial.callback = None
    if level.functional:
        trial.grids = mf.grids
        if level.nonlocal_correlation:  # which the Hessian leaves out as well
            trial.nlc = ""
    if level.density_fitting:
        trial.with_df = mf.with_df
    density = np.asarray(mf.make_rdm1())
    before = float(trial.energy_tot(np.array([density / 2] * 2) if closed else density))
    return max(0.0, *(before - float(trial.energy_tot(one)) for one in _turned(mf, mode)))


def _turned(mf: Any, mode: Floats) -> Iterator[Any]:
    """Yield densities with the orbitals turned along a mode."""
    if not mf.istype("UHF") and not is_open_shell_restricted(mf):
        yield from (separated(mf, mode, angle) for angle in ANGLES)
        return
    for angle in (sign * angle for angle in ANGLES for sign in (1, -1)):
        yield np.asarray(mf.make_rdm1(rotated_orbitals(mf, mode, angle), mf.mo_occ))


def _unseen(gap: float) -> str:
    return (
        f"the gap between occupied and empty orbitals is small ({gap:.3f} Eh): the solution may be "
        "unstable, see with the option stability"
    )


def _said(closed: bool, collapsed: bool, gap: float, lower: float) -> str:
    by = f"the energy falls by {1000 * lower:.1f} mEh at least"
    if closed:
        return (
            f"not stable: with orbitals of their own for alpha and beta spin {by} (gap {gap:.3f} "
            "Eh), so that a closed shell describes these electrons badly; see with the option "
            "stability, or ask for the reference unrestricted with the option stable"
        )
    if collapsed:
        return (
            "not stable: the unrestricted calculation came to the closed shell, ⟨S²⟩ = 0, and where"
            f" the spins part {by} (gap {gap:.3f} Eh); ask for the option stable"
        )
    return (
        f"not stable: where its orbitals turn {by}, so that this is not the ground state of its "
        "kind; ask for the option stable"
    )
