"""What is made of the states of a molecule: S1, T1, what lies between, and what misleads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from ogm import Link
from ontologies.excitations import ExcitedStates, ResponseName
from ontologies.gaps import MoleculeSet, SingletTripletGap, SingletTripletGaps
from triplestore.errors import GraficoError, RecipeError
from workflows.engine import Answer

Order: TypeAlias = Literal["as given", "S1", "T1", "gap", "strength"]

BRIGHT = 0.01
"""Oscillator strength from which a state is said to absorb: of forbidden bands they are less."""

NEAR_INSTABILITY = 1.0
"""eV. A triplet of full TDDFT below it is likely to be too low: see `LOW_TRIPLET`."""

PAIR = re.compile(r"(\S+) → (\S+) \((\d+) %\)")
"""An orbital pair with its weight, as `ExcitedStates.transitions` has it."""

LOW_TRIPLET = (
    "T1 lies only {:.2f} eV above the ground state: full TDDFT makes triplets too low near an "
    "instability of the ground state; compare with TDA (response)"
)


def gap_of(
    name: str,
    singlets: Answer[ExcitedStates],
    triplets: Answer[ExcitedStates] | None,
) -> SingletTripletGap:
    """Return what the states of a molecule come to.

    Args:
        name: what it is called.
        singlets: of one geometry.
        triplets: of the same; None where there are none.
    """
    above, below = singlets.result, triplets.result if triplets else None
    energies, strengths = above.excitation_energies, above.oscillator_strengths
    bright = next((n for n, f in enumerate(strengths.tolist()) if f >= BRIGHT), None)
    triplet = None if below is None else float(below.excitation_energies[0])
    gap = None if triplet is None else float(energies[0]) - triplet
    same = None if below is None else paired(above, below)
    told = list(dict.fromkeys([*above.remarks, *(below.remarks if below else ())]))
    told += _misleading(above, bright, triplet, gap)
    if below is not None:
        told += _of_characters(above, below, same)
    return SingletTripletGap(
        name=name,
        atoms=above.atoms,
        level=above.level,
        singlet_energy=float(energies[0]),
        singlet_strength=float(strengths[0]),
        triplet_energy=triplet,
        singlet_triplet_gap=gap,
        singlet_character=_character(above, 0),
        triplet_character=_character(below, 0) if below else "",
        paired_triplet=None if same is None else same + 1,
        paired_gap=None
        if same is None or below is None
        else float(energies[0] - below.excitation_energies[same]),
        bright_state=None if bright is None else bright + 1,
        bright_energy=None if bright is None else float(energies[bright]),
        bright_strength=None if bright is None else float(strengths[bright]),
        singlets=Link[ExcitedStates](singlets.recorded),
        triplets=Link[ExcitedStates](triplets.recorded) if triplets else None,
        remarks=tuple(told),
    )


def _misleading(
    above: ExcitedStates, bright: int | None, triplet: float | None, gap: float | None
) -> list[str]:
    """Say what a reader of S1 and T1 alone would get wrong."""
    told: list[str] = []
    states = len(above.excitation_energies)
    if bright is None:
        told.append(f"none of {states} singlets absorbs (f below {BRIGHT:g}); ask for more states")
    elif bright > 0:
        energy, strengths = above.excitation_energies[bright], above.oscillator_strengths
        told.append(
            f"S1{_is(_character(above, 0))} is dark (f {strengths[0]:.4f}): light is absorbed by "
            f"S{bright + 1}{_is(_character(above, bright))} at {energy:.2f} eV "
            f"(f {strengths[bright]:.3f})"
        )
    if gap is not None and gap < 0:
        told.append(
            f"the gap is inverted: S1 lies {-gap:.3f} eV below T1. Single excitations seldom "
            "describe that: see if the ground state is stable, and what other functionals say"
        )
    exchange = getattr(above.level, "long_range_exchange", 1.0)
    if "charge over" in _character(above, 0) and exchange < 1:
        told.append(
            f"S1 moves charge, and {above.level.method} has {100 * exchange:.0f} % of exact "
            "exchange at long range: such states come out too low; compare with a range-separated "
            "functional"
        )
    if triplet is not None and above.response == "TDDFT" and triplet < NEAR_INSTABILITY:
        told.append(LOW_TRIPLET.format(triplet))
    return told


def paired(above: ExcitedStates, below: ExcitedStates) -> int | None:
    """Return the place of the triplet that is of one character with S1; None if none was found.

    Of several that is the one whose leading orbital pairs are most alike, the lowest of equals.
    """
    wanted = _kind(_character(above, 0))
    if not wanted or wanted.startswith("mixed"):
        return None
    states = range(len(below.excitation_energies))
    alike = [n for n in states if _kind(_character(below, n)) == wanted]
    return max(alike, key=lambda n: (round(_overlap(above, 0, below, n), 1), -n), default=None)


def _character(states: ExcitedStates, place: int) -> str:
    return states.characters[place] if place < len(states.characters) else ""


def _kind(character: str) -> str:
    """Return a character without how far charge is moved."""
    return character.partition(",")[0]


def _is(character: str) -> str:
    return f" ({character})" if character else ""


def _overlap(one: ExcitedStates, first: int, other: ExcitedStates, second: int) -> float:
    """Return how much of two states lies in the same orbital pairs, 0 to 1."""
    weights: list[dict[tuple[str, str], float]] = []
    for states, place in ((one, first), (other, second)):
        text = states.transitions[place] if place < len(states.transitions) else ""
        found = {(pair[1], pair[2]): float(pair[3]) for pair in PAIR.finditer(text)}
        whole = sum(found.values()) or 1.0
        weights.append({pair: weight / whole for pair, weight in found.items()})
    return sum((weight * weights[1].get(pair, 0.0)) ** 0.5 for pair, weight in weights[0].items())


def _of_characters(above: ExcitedStates, below: ExcitedStates, same: int | None) -> list[str]:
    """Say where S1 and T1 are not two spins of the same."""
    one, other = _character(above, 0), _character(below, 0)
    if not above.characters or not below.characters:
        return [
            "what its states are is not known of results of an earlier version: compute again "
            "(recompute)"
        ]
    if same == 0:
        return []
    if same is None:
        return [
            f"S1 is {one}, T1 {other}; no triplet like S1 is among {len(below.characters)}: "
            "ask for more states"
        ]
    energy = below.excitation_energies[same]
    return [
        f"S1 is {one}, T1 {other}: the triplet like S1 is T{same + 1} at {energy:.2f} eV, "
        f"{above.excitation_energies[0] - energy:.2f} eV below it"
    ]


def why_no_triplets(error: GraficoError, name: str, response: ResponseName) -> GraficoError:
    """Return why a molecule has no triplets, and what to do: TDA, where the ground state does."""
    if "not stable" not in error.found:
        return error
    found = "the ground state is unstable towards triplets, so that T1 is no real number"
    advice = "ask for response TDA"
    if response == "TDA":
        found = "a triplet lies below the closed-shell singlet"
        advice = "compare the multiplicities (spin-states)"
    made = RecipeError(f"triplets of {name} were asked for", found, advice)
    made.run = error.run
    return made


def compared(
    members: MoleculeSet,
    response: ResponseName,
    gaps: Sequence[SingletTripletGap],
    errors: Mapping[str, GraficoError],
    order: Order,
    *,
    relaxed: bool,
    minima: bool,
) -> SingletTripletGaps:
    """Return the table of molecules.

    Args:
        members: which.
        response: how the states were found.
        gaps: what those came to that came to something.
        errors: why others did not, or have no triplets.
        order: of the table: ascending energies, or the brightest S1 first; what is missing last.
        relaxed: whether geometries were relaxed.
        minima: whether frequencies have shown them to be minima.
    """
    place = {name: n for n, name in enumerate(members.names)}

    def key(gap: SingletTripletGap) -> float:
        value = {
            "as given": float(place[gap.name]),
            "S1": gap.singlet_energy,
            "T1": gap.triplet_energy,
            "gap": gap.singlet_triplet_gap,
            "strength": -gap.singlet_strength,
        }[order]
        return float("inf") if value is None else value

    return SingletTripletGaps(
        molecule_set=members,
        response=response,
        gaps=tuple(sorted(gaps, key=key)),
        relaxed=relaxed,
        minima=minima,
        failures=tuple(
            f"{name}: {error.found}{f' ({error.advice})' if error.advice else ''}"
            for name, error in errors.items()
        ),
    )
