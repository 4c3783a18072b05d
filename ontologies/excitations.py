"""Electronically excited states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from pydantic import model_validator

from ogm import ADDED

from .level import Level, LevelOfTheory
from .quantum import ElectronicResult, least, most, with_derived
from .units import (
    ElectronVolt,
    ExcitationEnergies,
    Floats,
    Number,
    OscillatorStrengths,
    TransitionDipoles,
)

ResponseName: TypeAlias = Literal["TDA", "TDDFT"]


def of_hartree_fock(response: str, level: Level) -> str:
    """Return what a response is called where there is no functional; empty for others."""
    if not isinstance(level, LevelOfTheory) or level.functional:
        return ""
    return {"TDA": "CIS", "TDDFT": "TDHF"}.get(response, "")


StateSpin: TypeAlias = Literal["singlet", "triplet"]
SolventResponse: TypeAlias = Literal["non-equilibrium", "equilibrium"]
Manifold: TypeAlias = Literal["singlet", "triplet", "spin-conserving"]
Surroundings: TypeAlias = Literal["gas phase", "non-equilibrium", "equilibrium"]


class ExcitedStates(ElectronicResult, schema=3, upgrades={1: ADDED, 2: ADDED}):
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
        characters: for each state of a closed shell what it is, such as `n → π*`; empty where that
            is not known.
        surroundings: how the continuum follows the excitation: with its electrons only
            (`non-equilibrium`), or completely.
        dielectric: relative permittivity of the continuum for the excitation; None without one.
        lowest_excitation: the least of `excitation_energies`; this and the next two are derived,
            so that they can be queried.
        brightest_excitation: the energy of the state of the largest oscillator strength.
        brightest_strength: that oscillator strength.
    """

    response: ResponseName
    manifold: Manifold
    excitation_energies: ExcitationEnergies
    oscillator_strengths: OscillatorStrengths
    transition_dipoles: TransitionDipoles
    transitions: tuple[str, ...] = ()
    characters: tuple[str, ...] = ()
    surroundings: Surroundings = "gas phase"
    dielectric: Number | None = None
    lowest_excitation: ElectronVolt | None = None
    brightest_excitation: ElectronVolt | None = None
    brightest_strength: Number | None = None

    @model_validator(mode="before")
    @classmethod
    def _derive_states(cls, data: Any) -> Any:
        values = with_derived(data, "excitation_energies", lowest_excitation=least)
        values = with_derived(values, "oscillator_strengths", brightest_strength=most)
        if not isinstance(values, Mapping):
            return values
        strengths = cast("Mapping[str, Any]", values).get("oscillator_strengths")

        def brightest(energies: Floats) -> float | None:
            among = np.asarray(strengths, float)
            if not energies.size or among.shape != energies.shape:
                return None
            return float(energies[among.argmax()])

        return with_derived(values, "excitation_energies", brightest_excitation=brightest)
