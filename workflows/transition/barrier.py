"""From a path to its barriers: both ways, reaction-path degeneracy, rates, tunnelling."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity
from ontologies.factors import HARTREE
from ontologies.transition import PathEnd, ReactionBarrier, ReactionPath
from ontologies.vibrations import Thermochemistry
from workflows.engine import Answer

from .tunnelling import RANGE, eckart, reduced, wigner

CHIRAL = re.compile(r"C\d+|D\d+|[TOI]")
"""Point groups without reflection, inversion or rotary reflection, in the Schoenflies notation."""

ALIKE = 0.1
"""Å. Root mean square distance within which two relaxed structures are the same."""

KJ = HARTREE["kJ/mol"]


def alike(one: ConceptualAtoms, other: ConceptualAtoms) -> bool:
    """Tell whether two structures are the same, or mirror images; atoms may be renumbered."""
    mirrored = other.moved_to(other.positions * np.array([-1.0, 1.0, 1.0]))
    return one.equivalent(other, ALIKE) or one.equivalent(mirrored, ALIKE)


def mirror_images(found: Thermochemistry) -> int:
    """Return how many mirror images a structure has, itself included."""
    return 2 if CHIRAL.fullmatch(found.point_group) else 1


def ways(
    left: Thermochemistry, activated: Thermochemistry, degenerate: bool
) -> tuple[float, float]:
    """Return how many equivalent ways lead over a barrier, and how many of them are in no entropy.

    The ratio of rotational symmetry numbers stands in the entropies. What does not: a transition
    state of two mirror images is there twice, of a molecule of two mirror images each has half;
    and where both ends are alike, each transition state is crossed in both directions.

    Args:
        left: the end that is left.
        activated: the transition state.
        degenerate: whether both ends are alike.

    Sources: P. Pechukas, J. Chem. Phys. 64, 1516 (1976); E. Pollak, P. Pechukas, J. Am. Chem. Soc.
    100, 2984 (1978), doi:10.1021/ja00478a009; A. Fernández-Ramos, B. A. Ellingson, R. Meana-Pañeda,
    J. M. C. Marques, D. G. Truhlar, Theor. Chem. Acc. 118, 813 (2007),
    doi:10.1007/s00214-007-0328-0.
    """
    more = mirror_images(activated) / mirror_images(left) * (2 if degenerate else 1)
    return left.symmetry_number / activated.symmetry_number * more, more


def eyring(barrier: float, temperature: float) -> float:
    """Return the rate constant (1/s) over a Gibbs energy of activation (Eh) at a temperature (K).

    Source: H. Eyring, J. Chem. Phys. 3, 107 (1935).
    """
    from scipy.constants import R, h, k

    return k * temperature / h * math.exp(-barrier * KJ * 1000 / (R * temperature))


def barrier_of(
    path: ReactionPath,
    reverse: bool,
    activated_answer: Answer[Thermochemistry],
    ends: tuple[Answer[Thermochemistry], Answer[Thermochemistry]],
) -> ReactionBarrier:
    """Return the barrier of a path from one of its ends.

    Args:
        path: which.
        reverse: from the product on.
        activated_answer: thermochemistry of the transition state.
        ends: thermochemistry of reactant and product.
    """
    resting, beyond = ends[::-1] if reverse else ends
    activated, left, right = activated_answer.result, resting.result, beyond.result
    temperature = activated.temperature

    def at_zero(one: Thermochemistry) -> float:
        return one.frequencies.energy + one.zero_point_energy

    zero, back = (at_zero(activated) - at_zero(one) for one in (left, right))
    gibbs = activated.gibbs_energy - left.gibbs_energy
    total, more = ways(left, activated, path.degenerate)
    ratio = reduced(path.transition_state.wavenumber, temperature)
    thermal = 1 / (reduced(1.0, temperature) * HARTREE["cm⁻¹"])  # kT in Eh
    factor = None
    if zero > 0 and back > 0:
        factor = eckart(ratio, zero / thermal, back / thermal)
    return ReactionBarrier(
        reaction_path=path,
        reverse=reverse,
        resting=Link[Thermochemistry](resting.recorded),
        activated=Link[Thermochemistry](activated_answer.recorded),
        temperature=temperature,
        pressure=activated.pressure,
        energy_barrier=activated.frequencies.energy - left.frequencies.energy,
        zero_point_barrier=zero,
        enthalpy_barrier=activated.enthalpy - left.enthalpy,
        gibbs_barrier=gibbs,
        path_degeneracy=total,
        rate_constant=more * eyring(gibbs, temperature),
        tunnelling_ratio=ratio,
        wigner_factor=wigner(ratio),
        eckart_factor=factor,
        remarks=(
            *_of_several(path.product if reverse else path.reactant),
            *_remarks(left, activated, path.degenerate, zero, back, ratio),
        ),
    )


def _of_several(end: PathEnd) -> Iterator[str]:
    """Say what is left where an end is no single molecule."""
    if len(connectivity(end.atoms).molecules) > 1:
        yield (
            f"the end {end.smiles or end.atoms.formula} is several molecules near each "
            "other: barrier and rate constant from there are those of this complex, not of "
            "molecules that meet; a reaction tells how far these lie above it"
        )


def _remarks(
    left: Thermochemistry,
    activated: Thermochemistry,
    degenerate: bool,
    zero: float,
    back: float,
    ratio: float,
) -> Iterator[str]:
    images = mirror_images(activated), mirror_images(left)
    parts = [f"symmetry numbers {left.symmetry_number}/{activated.symmetry_number}"]
    if images != (1, 1):
        parts.append(f"mirror images {images[0]}/{images[1]}")
    if degenerate:
        parts.append("2 for ends that are alike")
    yield (
        f"reaction-path degeneracy: {' · '.join(parts)}; the symmetry numbers stand in ΔG, the "
        "rest in the rate constant"
    )
    if zero <= 0 or back <= 0:
        yield "with zero-point energies one side has no barrier: there is no Eckart correction"
    if ratio > RANGE:
        yield f"Wigner's correction is outside its range: hν‡/kT is {ratio:.1f}, above {RANGE:g}"
