"""An ensemble of geometries that were computed: which are conformers, and their weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import Conformer, ConformerEnsemble, SamenessThresholds, WeightedBy
from ontologies.connectivity import Bond, Changes, changes
from ontologies.factors import HARTREE
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.vibrations import Thermochemistry
from triplestore.errors import GraficoError, RecipeError
from workflows.molecule.polyhedra import is_metal
from workflows.text.words import count

from .numbering import fragments
from .sameness import groups
from .weights import (
    average,
    conformational_entropy,
    degeneracies,
    mirror_images,
    symmetry_number,
    weights,
)

KCAL = HARTREE["kcal/mol"]


@dataclass(frozen=True)
class Computed:
    """What a geometry came to.

    Attributes:
        atoms: the geometry, relaxed if that was asked for.
        level: of its energy.
        energy: in Eh.
        result: where the energy stands.
        gibbs_energy: in Eh; None without vibrations.
        thermochemistry: where the Gibbs energy stands.
        repairs: how often it was pushed off a saddle point.
    """

    atoms: ConceptualAtoms
    level: Level
    energy: float
    result: Link[EnergyResult]
    gibbs_energy: float | None = None
    thermochemistry: Link[Thermochemistry] | None = None
    repairs: int = 0


def assemble(
    molecule: ConceptualAtoms,
    smiles: str,
    computed: Mapping[str, Computed],
    starts: Mapping[str, ConceptualAtoms],
    errors: Mapping[str, GraficoError],
    *,
    thresholds: SamenessThresholds,
    window: float,
    weighted_by: WeightedBy,
    temperature: float,
    sampler: str,
    remarks: Sequence[str] = (),
    refined: Link[ConformerEnsemble] | None = None,
) -> ConformerEnsemble:
    """Return the ensemble of geometries that were computed.

    Args:
        molecule: which; a geometry whose bonds are others is left out.
        smiles: its bonds; empty where these are not known.
        computed: what each geometry came to, by name.
        starts: the geometry from which each started.
        errors: why others came to nothing.
        thresholds: by which geometries are one conformer.
        window: Eh above the lowest, within which conformers are kept.
        weighted_by: what weights come from.
        temperature: of these, in K.
        sampler: what made the geometries.
        remarks: what is to be known of them.
        refined: the ensemble that they come from, if they do.

    Raises:
        RecipeError: none is left.
    """
    broken = {
        name: str(change)
        for name, one in computed.items()
        if (change := reaction(molecule, one.atoms, smiles))
    }
    whole = {name: one for name, one in computed.items() if name not in broken}
    if not whole:
        name, change = next(iter(broken.items()))
        raise RecipeError(
            f"the conformers of {molecule.formula} were asked for",
            f"bonds change in {_all(len(broken))} while it is relaxed; {name}: {change}",
            "this is no minimum of the molecule at this level: take another level or a solvent",
        )
    names = list(whole)
    alike = groups(
        [one.atoms for one in whole.values()],
        [one.energy for one in whole.values()],
        thresholds,
        smiles,
    )
    low = whole[names[alike[0][0]]].energy
    kept = [one for one in alike if whole[names[one[0]]].energy - low <= window]
    members = [whole[names[one[0]]] for one in kept]
    mirrored = [mirror_images(one.atoms, smiles) for one in members]
    symmetry = [symmetry_number(one.atoms) for one in members]
    counted = degeneracies(mirrored, symmetry)
    if weighted_by == "energy":
        times, together = counted, None
        fractions = weights([one.energy for one in members], times, temperature)
    else:  # symmetry numbers are in Gibbs energies
        times, gibbs = mirrored, [_gibbs(one) for one in members]
        fractions = weights(gibbs, times, temperature)
        mixing = temperature * conformational_entropy(fractions, times)
        together = average(gibbs, fractions) - mixing
    conformers = tuple(
        Conformer(
            number=number,
            atoms=one.atoms,
            energy=one.energy,
            gibbs_energy=one.gibbs_energy,
            mirror_images=images,
            symmetry_number=rotations,
            degeneracy=arrangements,
            weight=float(fraction),
            result=one.result,
            thermochemistry=one.thermochemistry,
        )
        for number, (one, images, rotations, arrangements, fraction) in enumerate(
            zip(members, mirrored, symmetry, counted, fractions, strict=True), 1
        )
    )
    left_out = [f"{name}: {error}" for name, error in errors.items()]
    left_out += [f"{name}: its bonds changed: {change}" for name, change in broken.items()]
    told = list(remarks)
    from_file = refined is None and any(name.startswith("structure ") for name in starts)
    if from_file:
        told += _told_of_file(names, kept)
    if refined is None and not from_file:
        told += _told_of_starts(
            len(starts), len(names) - len(alike), len(alike) - len(kept), window
        )
    else:
        left_out += _merged(names, alike)
        left_out += [
            f"{names[one[0]]}: {(whole[names[one[0]]].energy - low) * KCAL:.2f} kcal/mol above the "
            "lowest"
            for one in alike[len(kept) :]
        ]
    told += [
        f"{names[one[0]]}: pushed off a saddle point along its imaginary mode, and relaxed again"
        for one in kept
        if whole[names[one[0]]].repairs
    ]
    return ConformerEnsemble(
        molecule=molecule,
        smiles=smiles,
        level=members[0].level,
        sampler=sampler,
        refined=refined,
        weighted_by=weighted_by,
        temperature=temperature,
        thresholds=thresholds,
        conformers=conformers,
        mean_energy=average([one.energy for one in members], fractions),
        conformational_entropy=conformational_entropy(fractions, times),
        ensemble_gibbs=together,
        left_out=tuple(left_out),
        remarks=tuple(told),
    )


def _told_of_file(names: Sequence[str], kept: Sequence[Sequence[int]]) -> Iterator[str]:
    """Say which structure of a file each conformer comes from: their numbers are by energy."""
    each = [
        f"{number}: {names[one[0]].removeprefix('structure ')}"
        for number, one in enumerate(kept, 1)
    ]
    yield f"conformers, and the structures of the file they come from: {', '.join(each)}"


def _all(many: int) -> str:
    return "the only geometry" if many == 1 else f"each of {many} geometries"


def reaction(before: ConceptualAtoms, after: ConceptualAtoms, smiles: str) -> Changes:
    """Return the bonds that changed, but for contacts of a metal ion with other molecules.

    Args:
        before: a geometry of the molecules.
        after: another, numbered alike.
        smiles: their bonds; where they are not known (""), contacts count as bonds.
    """
    found = changes(before, after)
    metals = {n for n, number in enumerate(before.numbers.tolist()) if is_metal(number)}
    if not found or not metals or "." not in smiles:
        return found
    part = {n: k for k, one in enumerate(fragments(before, smiles)) for n in one}

    def bonds(changed: Sequence[Bond]) -> tuple[Bond, ...]:
        ends = ((one, {one.first, one.second}) for one in changed)
        return tuple(
            one for one, both in ends if not both & metals or len({part[n] for n in both}) == 1
        )

    return Changes(bonds(found.broken), bonds(found.formed))


def _gibbs(one: Computed) -> float:
    assert one.gibbs_energy is not None  # asked for where weights come from it
    return one.gibbs_energy


def _told_of_starts(starts: int, merged: int, beyond: int, window: float) -> Iterator[str]:
    """Say what became of the geometries that were made: there are too many to name each."""
    told = [f"{merged} came to a conformer that another found"] if merged else []
    if beyond:
        told.append(f"{count(beyond, 'conformer')} above {window * KCAL:g} kcal/mol left out")
    if told:
        yield f"of {count(starts, 'geometry', 'geometries')}, {'; '.join(told)}"


def _merged(names: Sequence[str], alike: Sequence[Sequence[int]]) -> Iterator[str]:
    for first, *others in alike:
        for other in others:
            yield f"{names[other]}: became {names[first]}"
