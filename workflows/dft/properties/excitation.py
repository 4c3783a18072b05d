"""Vertical excitations by linear response: TDA and TDDFT (CIS and TDHF for Hartree–Fock)."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.excitations import (
    ExcitedStates,
    Manifold,
    ResponseName,
    SolventResponse,
    StateSpin,
    Surroundings,
)
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from triplestore.errors import InputError, NotConvergedError, RecipeError
from workflows.engine import calculation, context
from workflows.text.words import count

from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..request.size import single_excitations
from ..scf.instability import UNSTABLE, external_mode, internal_mode
from ..scf.meanfield import mean_field, molecule
from ..scf.scf import converge, electronic
from .character import characters

SPARE = 2
"""States that are computed beyond those asked for, so that none of a degenerate set is missed."""

LEADING = 0.1
"""Weight from which an orbital pair is named among the transitions of a state."""

MOST_CYCLES = 200

MISSED = 1e-4
"""Eh. How far a state may be from fulfilling its equations; PySCF is asked for 1e-5."""

DEGENERATE = 0.2
"""eV. States nearer to the ground state mix with it, which response from it alone leaves out."""


@calculation(
    "dft.excitations", version="1", backend=PYSCF, revision=revision, title="excited states"
)
def excitations(
    atoms: ConceptualAtoms,
    level: LevelOfTheory,
    states: int = 5,
    response: ResponseName = "TDDFT",
    spin: StateSpin = "singlet",
    solvent: SolventResponse = "non-equilibrium",
) -> ExcitedStates:
    """Compute the lowest vertical excitations at a geometry.

    Args:
        atoms: any geometry.
        level: the level of theory, of the ground state too.
        states: how many.
        response: `TDDFT`, or `TDA` within the Tamm–Dancoff approximation.
        spin: of the excited states of a closed shell; those of open shells keep M_S only.
        solvent: whether the continuum follows with its electrons only, as it does while light is
            absorbed, or completely.

    Raises:
        InputError: there are no such states, or n² of the solvent is not known.
        NotConvergedError: the SCF or the response equations did not converge.
        RecipeError: PySCF has no response for the level, or its ground state is unstable.

    Source: M. E. Casida, in Recent Advances in Density Functional Methods, Part I (1995), 155;
    S. Hirata, M. Head-Gordon, Chem. Phys. Lett. 314, 291 (1999); R. Cammi, B. Mennucci, J. Chem.
    Phys. 110, 9877 (1999).
    """
    asked = _asked(atoms, level, states)
    check_states(atoms, level, states, spin)
    restricted = level.reference == "restricted"
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    possible = _pairs(mf)
    _refuse_more(states, possible, asked)
    td, surroundings, dielectric = _response(mf, level, response, solvent, asked)
    if restricted:
        td.singlet = spin == "singlet"
    if response == "TDDFT":
        _check_ground_state(mf, spin if restricted else "singlet", asked)
    else:
        td.positive_eig_threshold = -np.inf  # or PySCF hides what lies below the ground state
    td.nstates = min(states + SPARE, possible)
    td.max_cycle = MOST_CYCLES
    context().report("excitations", energy=float(mf.e_tot), states=states)
    try:
        td.kernel()
    except RuntimeError as error:  # a direction of no curvature, which the check above lets pass
        if isinstance(error.__context__, np.linalg.LinAlgError):
            raise RecipeError(asked, NOT_STABLE, ADVICE) from error
        raise
    _check(td, states, asked)
    energies = np.asarray(td.e, float)
    lowest = [int(n) for n in np.argsort(energies, kind="stable")[:states]]
    from pyscf.data import nist

    base = electronic(mf)
    remarks = list(base.pop("remarks", ()))
    if level.nonlocal_correlation:
        remarks.append("the non-local correlation is left out of the response")
    remarks += _all_but_degenerate(energies[lowest] * nist.HARTREE2EV)
    strengths, moments = _moments(td, spin)
    manifold: Manifold = spin if restricted else "spin-conserving"
    return ExcitedStates(
        atoms=atoms,
        level=level,
        response=response,
        manifold=manifold,
        excitation_energies=energies[lowest] * nist.HARTREE2EV,
        oscillator_strengths=strengths[lowest],
        transition_dipoles=moments[lowest] * nist.AU2DEBYE,
        transitions=tuple(_leading(td, n) for n in lowest),
        characters=characters(td, atoms, lowest),
        surroundings=surroundings,
        dielectric=dielectric,
        remarks=tuple(remarks),
        **base,
    )


def check_states(
    atoms: ConceptualAtoms, level: LevelOfTheory, states: int, spin: StateSpin
) -> None:
    """Check that a molecule can have such excited states, before anything is computed.

    Raises:
        InputError: it cannot; says how many there can be.
        RecipeError: PySCF has no response for the reference.
    """
    asked = _asked(atoms, level, states)
    if states < 1:
        raise InputError(asked, "there must be one at least", "ask for more states")
    if level.reference == "restricted open-shell":
        raise RecipeError(
            asked,
            "PySCF has no response of restricted open-shell orbitals",
            "ask for unrestricted orbitals",
        )
    if spin == "triplet" and level.reference != "restricted":
        raise InputError(
            asked,
            "excitations from an open shell keep M_S; they are no triplets",
            "leave the spin of the states out",
        )
    _refuse_more(states, single_excitations(atoms, level), asked)


def _asked(atoms: ConceptualAtoms, level: LevelOfTheory, states: int) -> str:
    were = "was" if states == 1 else "were"
    what = count(states, "excited state")
    return f"{what} of {atoms.formula} at {level.label} {were} asked for"


def _refuse_more(states: int, possible: int, asked: str) -> None:
    if states > possible:
        raise InputError(
            asked,
            f"the basis set allows {count(possible, 'single excitation')}",
            "ask for fewer states or a larger basis set",
        )


def _pairs(mf: Any) -> int:
    """Return how many pairs of an occupied and an empty orbital of the same spin there are."""
    channels = mf.mo_occ if np.ndim(mf.mo_occ) == 2 else [mf.mo_occ]
    return sum(int((part > 0).sum()) * int((part == 0).sum()) for part in channels)


def _response(
    mf: Any, level: LevelOfTheory, response: ResponseName, solvent: SolventResponse, asked: str
) -> tuple[Any, Surroundings, float | None]:
    """Return the response equations with the right permittivity, what that is, and for what."""
    make = mf.TDA if response == "TDA" else mf.TDDFT if level.functional else mf.TDHF
    if level.solvation is None:
        return make(), "gas phase", None
    if solvent == "equilibrium":
        return make(equilibrium_solvation=True), "equilibrium", level.solvation.dielectric
    fast = level.solvation.optical_dielectric
    if fast is None:
        raise InputError(
            asked,
            "the square of the refractive index of the solvent is not known",
            "name a solvent, or ask for equilibrium",
        )
    td = make(equilibrium_solvation=False)
    if td.with_solvent.eps != fast:  # PySCF puts 1.78, whatever the solvent
        td.with_solvent.reset()
        td.with_solvent.eps = fast
        td.with_solvent.build()
    return td, "non-equilibrium", fast


NOT_STABLE = "the ground state is not stable, so that excitations from it are not real"
ADVICE = (
    "ask for unrestricted orbitals and the stable solution (reference, stable); of a degenerate "
    "ground state, such as that of a linear radical, there is none"
)
TRIPLETS = (
    "ask for them within the Tamm–Dancoff approximation (response TDA), which such an instability "
    "hardly touches (M. J. G. Peach, M. J. Williamson, D. J. Tozer, J. Chem. Theory Comput. 7, "
    "3578 (2011)); or for unrestricted orbitals and the stable solution (reference, stable)"
)


def _check_ground_state(mf: Any, spin: StateSpin, asked: str) -> None:
    """Check that the ground state is stable towards states of a spin.

    Where it is not, there are imaginary excitation energies, which the solver passes over.

    Raises:
        RecipeError: it is not.
    """
    triplet = spin == "triplet"
    curvature, _ = external_mode(mf) if triplet else internal_mode(mf)
    if curvature < UNSTABLE:
        raise RecipeError(asked, NOT_STABLE, TRIPLETS if triplet else ADVICE)


def _check(td: Any, states: int, asked: str) -> None:
    """Check that the states asked for were found.

    Raises:
        RecipeError: some lie below the ground state.
        NotConvergedError: the equations did not converge.
    """
    energies = np.asarray(td.e)
    order = np.argsort(energies, kind="stable")[:states]
    if len(order) and not energies[order].min() > 0:
        raise RecipeError(asked, NOT_STABLE, ADVICE)
    advice = "ask for more states, or for another functional"
    if len(order) < states or not np.all(np.asarray(td.converged)[order]):
        raise NotConvergedError(
            asked, f"the response equations did not converge in {MOST_CYCLES} cycles", advice
        )
    worst = float(missed(td, [int(n) for n in order]).max(initial=0.0))
    if worst > MISSED:
        raise NotConvergedError(
            asked,
            f"the response equations are missed by {worst:.0e} Eh, where {MISSED:.0e} Eh is "
            "allowed",
            advice,
        )


def missed(td: Any, states: Sequence[int]) -> Floats:
    """Return how far states are from fulfilling their equations, formed anew.

    Args:
        td: solved response equations.
        states: their numbers, from 0.

    Returns:
        For each the norm of what is left, in Eh, for amplitudes of unit norm.
    """
    from pyscf.tdscf import rhf, uhf

    def row(parts: Any) -> Floats:
        return np.concatenate([np.ravel(part) for part in parts])

    unrestricted = np.ndim(td._scf.mo_occ) == 2
    whole = [td.xy[n] if unrestricted else [(x,) for x in td.xy[n]] for n in states]
    if np.ndim(whole[0][1][0]) == 0:  # within the Tamm-Dancoff approximation
        vectors = np.array([row(x) for x, _ in whole])
        product, _ = td.gen_vind()
    else:
        vectors = np.array([np.concatenate([row(x), row(y)]) for x, y in whole])
        solver = uhf.TDHF if unrestricted else rhf.TDHF
        product, _ = solver.gen_vind(td)  # PySCF has another form of it for pure functionals
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    left = np.asarray(product(vectors)) - np.asarray(td.e)[list(states)][:, None] * vectors
    return np.linalg.norm(left, axis=1)


def _moments(td: Any, spin: StateSpin) -> tuple[Floats, Floats]:
    """Return oscillator strengths and transition dipoles (e·bohr); none for triplets."""
    if spin == "triplet":
        return np.zeros(len(td.e)), np.zeros((len(td.e), 3))
    return np.asarray(td.oscillator_strength()), np.asarray(td.transition_dipole())


def _all_but_degenerate(energies: Floats) -> list[str]:
    """Say if the lowest state, in eV, lies where the ground state is no state of its own."""
    lowest = float(energies.min(initial=np.inf))
    if lowest > DEGENERATE:
        return []
    return [
        f"the lowest state lies {lowest:.3f} eV above the ground state: the two are all but "
        "degenerate, and no method that starts from one determinant describes them; see if the "
        "ground state is stable (option stability)"
    ]


def _leading(td: Any, state: int) -> str:
    """Return the leading orbital pairs of a state with their weights, counted from 1."""
    parts = td.xy[state][0]
    unrestricted = isinstance(parts, tuple | list)
    channels = zip(parts if unrestricted else [parts], "ab" if unrestricted else [""], strict=True)
    found: list[tuple[float, str]] = []
    for amplitudes, spin in channels:
        occupied = amplitudes.shape[0]
        weights = np.asarray(amplitudes) ** 2 * (1 if unrestricted else 2)
        for below, above in np.argwhere(weights >= LEADING):
            weight = float(weights[below, above])
            pair = f"{below + 1}{spin} → {occupied + above + 1}{spin}"
            found.append((weight, f"{pair} ({min(weight, 1):.0%})"))
    return ", ".join(text for _, text in sorted(found, reverse=True)).replace("%", " %")
