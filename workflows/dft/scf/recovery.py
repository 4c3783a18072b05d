"""SCF recovery: guess, damping, level shift, Newton steps, smearing, tried in turn.

The recipes were chosen by trying twelve SCFs that plain DIIS does not bring to an end in 100
cycles: atoms and diatomics of Cr, Mn, Fe, Co, Ni and Cu with all three references, Hartree–Fock and
PBE, in STO-3G and 6-31G. As a guess, superposed atomic densities brought six of them to an end, SAP
three, Hückel one (and it cannot fill every minimal basis); damping does seven, from where DIIS was
left fewer; a level shift seven. Newton steps do all, but from a bad start in very high states: they
start from the lowest determinant met before, and go down from what is no minimum. Fractional
occupation, with their help, does all as well.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ontologies.level import SCF_LADDER, LevelOfTheory
from triplestore.errors import InputError, NotConvergedError
from workflows.engine import context

from .instability import fills_from_below, is_open_shell_restricted, second_order, settle
from .meanfield import mean_field

DAMPING, DAMPED_CYCLES = 0.7, 15
SHIFT = 0.5
"""Eh."""

TEMPERATURES = (0.03, 0.01, 0.003)
"""Eh. Widths of the Fermi functions, one after the other."""


LATE, LATELY, MOST = 15, 10, 8
ABOVE = 0.5
"""Eh. From cycle 15 on, an SCF of whose last ten determinants eight lie so far above one that it
met goes nowhere: FeCl4⁻ (PBE) went through 60 Eh for 100 cycles."""


class WanderingError(Exception):
    """An SCF goes nowhere."""


class Climb:
    """An SCF on its way up the ladder.

    Attributes:
        mf: the mean field; its orbitals are those of the last rung tried.
        level: its level of theory.
        lowest: the lowest energy of a determinant met so far.
        density: of that determinant; None before the first cycle.
        cycles: SCF cycles and Newton steps made so far.
    """

    def __init__(self, mf: Any, level: LevelOfTheory) -> None:
        self.mf, self.level = mf, level
        self.rung = ""
        self.lowest, self.density = np.inf, None
        self.cycles = 0
        self.met: list[float] = []
        self.patient = False

    def run(self, guess: Any = None, *, patient: bool = True, **settings: Any) -> bool:
        """Run a plain SCF with other settings for its steps; its end is the same as without.

        Args:
            guess: the density to start from; None for the usual one.
            patient: whether it may wander for all its cycles.
            settings: of the mean field.
        """
        from pyscf import lib

        self.met, self.patient = [], patient
        try:
            with lib.temporary_env(self.mf, callback=self.follow, **settings):
                self.mf.kernel(dm0=guess)
        except WanderingError:
            self.mf.converged, self.mf.cycles, self.mf.e_tot = False, len(self.met), self.met[-1]
        self.cycles += int(self.mf.cycles)
        return bool(self.mf.converged)

    def newton(self) -> bool:
        """Minimise from the lowest determinant; what is surely no minimum is left for one."""
        if self.density is None:
            self.run(max_cycle=min(10, self.mf.max_cycle))
        self.mf.cycles = 0
        try:
            if not second_order(self.mf, self.rung, density=self.density, observe=self.observe):
                return False
            if not fills_from_below(self.mf):
                settle(self.mf)
        finally:
            self.cycles += int(self.mf.cycles)
        return bool(self.mf.converged)

    def follow(self, values: dict[str, Any]) -> None:
        """Report a cycle of an SCF."""
        energy = float(values["e_tot"])
        context().report("scf", cycle=values["cycle"] + 1, energy=energy, rung=self.rung)
        self.observe(values)
        self.met.append(energy)
        far = sum(one > min(self.met) + ABOVE for one in self.met[-LATELY:])
        if not self.patient and len(self.met) >= LATE and far >= MOST:
            raise WanderingError

    def observe(self, values: dict[str, Any]) -> None:
        """Keep the density of the lowest determinant."""
        energy = float(values["e_tot"])
        if np.isfinite(energy) and energy < self.lowest:
            self.lowest, self.density = energy, values["dm"]


def _diis(climb: Climb) -> bool:
    return climb.run(patient=False)


def _better_guess(climb: Climb) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # PySCF's atoms, about PySCF itself
        guess = climb.mf.get_init_guess(climb.mf.mol, "atom")
    return climb.run(guess)


def _damping(climb: Climb) -> bool:
    # from the usual guess: from where DIIS was left, fewer came to an end
    guess = climb.mf.get_init_guess()
    if is_open_shell_restricted(climb.mf):  # PySCF damps those within DIIS only
        return climb.run(guess, diis_damp=0.5, diis_space=12)
    return climb.run(guess, damp=DAMPING, diis_start_cycle=DAMPED_CYCLES)


def _level_shift(climb: Climb) -> bool:
    climb.run(climb.density, level_shift=SHIFT)
    # without the shift: true orbital energies, the true thresholds, and it must hold
    return climb.run(climb.mf.make_rdm1())


def _second_order(climb: Climb) -> bool:
    return climb.newton()


def _fractional_occupation(climb: Climb) -> bool:
    """Cool electrons down from a temperature, and start with whole ones from where they are."""
    from pyscf.scf import addons

    warm: Any = climb.mf.copy()
    if is_open_shell_restricted(climb.mf):
        loose = climb.level.model_copy(update={"reference": "unrestricted"})
        warm = mean_field(climb.mf.mol, loose)
    density = climb.density
    warm.callback = None
    warm = addons.smearing(warm, sigma=TEMPERATURES[0], fix_spin=True)
    for width in TEMPERATURES:
        warm.sigma = width
        warm.kernel(dm0=density)
        climb.cycles += int(warm.cycles)
        density = np.asarray(warm.make_rdm1())  # bare: its tags suit its own kind only
        context().report("scf", energy=float(warm.e_tot), rung=climb.rung, width=width)
    if climb.run(density):
        return True
    return climb.newton()


RUNGS: Mapping[str, Callable[[Climb], bool]] = {
    "DIIS": _diis,
    "better guess": _better_guess,
    "damping": _damping,
    "level shift": _level_shift,
    "second order": _second_order,
    "fractional occupation": _fractional_occupation,
}


def try_recipes(mf: Any, level: LevelOfTheory, what: str) -> tuple[str, ...]:
    """Bring an SCF to convergence by the first rung of the level's ladder that does, in place.

    Every rung ends with a plain SCF or with Newton steps on the plain energy: no shift, damping or
    broken occupation is left in the solution, and its orbital energies are true ones. `cycles` of
    the mean field counts those of all rungs.

    Args:
        mf: a mean field that has not run.
        level: its level of theory.
        what: a name for messages.

    Returns:
        The rungs that were tried; the last converged.

    Raises:
        InputError: the ladder has a rung that does not exist, or none at all.
        NotConvergedError: no rung converged; tells the last energy of each.
    """
    ladder = level.scf_ladder
    unknown = [rung for rung in ladder if rung not in RUNGS]
    if unknown or not ladder:
        raise InputError(
            f"the SCF ladder {', '.join(ladder) or 'without a rung'} was asked for",
            f"there is no rung {unknown[0]!r}" if unknown else "nothing can be tried with it",
            f"choose from: {', '.join(SCF_LADDER)}",
        )
    way, ends = Climb(mf, level), list[str]()
    for rung in ladder:
        way.rung = rung
        try:
            converged = RUNGS[rung](way)
        except (NotImplementedError, np.linalg.LinAlgError) as error:
            ends.append(f"{rung} could not be tried ({error})")
            continue
        except NotConvergedError:
            converged = False
        if converged:
            mf.cycles = way.cycles
            return ladder[: ladder.index(rung) + 1]
        ends.append(f"{rung} at {mf.e_tot:.6f} Eh")
    raise NotConvergedError(
        f"the SCF of {what} did not converge",
        f"it was left, after at most {mf.max_cycle} cycles each: {'; '.join(ends)}",
        "check geometry, charge and multiplicity; try HF, another functional or basis set",
    )
