"""Electronically excited states."""

from __future__ import annotations

from typing import Literal, TypeAlias

from .quantum import ElectronicResult
from .units import ExcitationEnergies, Number, OscillatorStrengths, TransitionDipoles

ResponseName: TypeAlias = Literal["TDA", "TDDFT"]
StateSpin: TypeAlias = Literal["singlet", "triplet"]
SolventResponse: TypeAlias = Literal["non-equilibrium", "equilibrium"]
Manifold: TypeAlias = Literal["singlet", "triplet", "spin-conserving"]
Surroundings: TypeAlias = Literal["gas phase", "non-equilibrium", "equilibrium"]


class ExcitedStates(ElectronicResult):
    """Vertical excitations by linear response; the other numbers are those of the ground state.

    Attributes:
        response: with the Tamm–Dancoff approximation (`TDA`) or without (`TDDFT`; for
            Hartree–Fock these are CIS and TDHF).
        manifold: spin of the excited states; those of open shells keep M_S only.
        excitation_energies: ascending, shape (states,).
        oscillator_strengths: in the length gauge, shape (states,); 0 for triplets.
        transition_dipoles: in the length gauge, their signs arbitrary, shape (states, 3).
        transitions: for each state its leading excitations, such as `21 → 22 (96 %)`, orbitals
            counted from 1, with `a` or `b` for their spin where the spins differ.
        surroundings: how the continuum follows the excitation: with its electrons only
            (`non-equilibrium`), or completely.
        dielectric: relative permittivity of the continuum for the excitation; None without one.
    """

    response: ResponseName
    manifold: Manifold
    excitation_energies: ExcitationEnergies
    oscillator_strengths: OscillatorStrengths
    transition_dipoles: TransitionDipoles
    transitions: tuple[str, ...] = ()
    surroundings: Surroundings = "gas phase"
    dielectric: Number | None = None
