"""The calculation that makes geometries from which conformers are relaxed."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerCandidates, SamenessThresholds
from ontologies.connectivity import changes
from ontologies.factors import HARTREE
from ontologies.units import Floats
from triplestore.errors import InputError, RecipeError
from workflows.engine import calculation
from workflows.molecule.checks import ADVICE, check
from workflows.molecule.embedding import ATTEMPTS, RANDOM_ATTEMPTS, RDKIT, SEED, bent, force_field
from workflows.molecule.fragments import together
from workflows.molecule.polyhedra import is_metal, shapes
from workflows.text.words import count

from .fields import ForceField
from .numbering import numbered, with_positions
from .placing import beside
from .rotors import grid, ring_shape, rotors, torsions, turned
from .sameness import groups
from .stereo import completed, has_configuration

KCAL = HARTREE["kcal/mol"]

ALIKE = SamenessThresholds(energy_gap=0.05 / KCAL, deviation=0.1, rotation=0.01)
"""By which geometries of a force field are one."""

MOST_ROTORS, MOST_POINTS = 5, 400
"""Of molecules whose rotors are all turned through their angles, and of such geometries."""

FEW_ROTORS, MANY_STARTS = 4, 50
"""Who asks for fewer starts wants a quick answer, and has no more rotors turned than these."""

MOST_SHAPES = 4
"""Of rings, each of which has its rotors turned."""

LEFT = 40.0
"""Degrees. A rotor that a force field moves by more has left the angle from which it began."""


@calculation("conformer.candidates", version="2", backend=RDKIT, title="candidates")
def candidates(
    molecule: ConceptualAtoms,
    smiles: str,
    starts: int = 200,
    seed: int = SEED,
    window: float = 12.0,
) -> ConformerCandidates:
    """Make geometries of one molecule from which conformers are relaxed, each told once.

    Geometries are embedded; where there are up to five rotors (four for fewer than 50 starts), they
    are also turned through all angles where such bonds rest. All are relaxed with MMFF94, or UFF
    where it lacks parameters, and those alike are merged, mirror images too where these are one
    molecule. An angle that the force field leaves is told as well, relaxed with the rotors held,
    for a better level may rest there. Separate molecules and ions are put
    beside each other at random. Of molecules with bonded metals or hypervalent centres, which have
    no force field here, the rotors of the given geometry are turned.

    Args:
        molecule: its atoms number those of all geometries; charge and multiplicity are its own.
        smiles: its bonds and stereocentres; those left open are as in `molecule`.
        starts: how many geometries are embedded or put beside each other.
        seed: of the random numbers.
        window: kcal/mol above the lowest, within which geometries are kept.

    Returns:
        Of lowest force-field energy first. A molecule with neither rotors nor rings that pucker is
        told as given.

    Raises:
        InputError: the molecule is periodic, or its bonds are not those of the SMILES.
        RecipeError: no geometry was found.

    Source: S. Wang, J. Witek, G. A. Landrum, S. Riniker, J. Chem. Inf. Model. 60, 2044 (2020).
    """
    from rdkit import rdBase

    if molecule.is_periodic:
        raise InputError(
            f"conformers of {molecule.formula} were asked for", "it is periodic", "give a molecule"
        )
    with rdBase.BlockLogs():
        sampling = _Sampling(molecule, smiles, starts, seed)
        found = sampling.geometries()
        if not found:
            raise RecipeError(
                f"conformers of {smiles[:80]!r} were asked for",
                "no geometry was found that fits its bonds and stereocentres",
                ADVICE,
            )
    lowest = min(energy for energy, _ in found)
    near = [one for one in found if one[0] <= lowest + window]
    structures = [molecule.moved_to(positions) for _, positions in near]
    energies = [energy / KCAL for energy, _ in near]
    kept = [alike[0] for alike in groups(structures, energies, ALIKE, smiles)]
    return ConformerCandidates(
        molecule=molecule,
        structures=tuple(structures[place] for place in kept),
        sampler=sampling.told,
        remarks=tuple(sampling.remarks),
    )


class _Sampling:
    """What makes geometries of one molecule.

    Attributes:
        told: what it does, with its settings.
        remarks: what a reader must know.
    """

    def __init__(self, molecule: ConceptualAtoms, smiles: str, starts: int, seed: int) -> None:
        from rdkit import Chem

        self.molecule, self.starts, self.seed = molecule, starts, seed
        self.remarks = list[str]()
        mol: Any = numbered(molecule, smiles)
        self.mol, left_open = completed(mol)
        if left_open:
            places = ", ".join(f"{molecule.symbols[n]}{n + 1}" for n in left_open)
            self.remarks.append(f"stereochemistry left open at {places}: as in the given geometry")
        self.rotors = rotors(self.mol)
        self.members: list[tuple[int, ...]] = [
            tuple(map(int, part)) for part in Chem.GetMolFrags(self.mol)
        ]
        self.special = _is_special(self.mol)
        name = "" if self.special else force_field(self.mol)
        self.field = ForceField(self.mol, name) if name else None
        if not name:
            why = self.special or "MMFF94 and UFF lack parameters"
            self.remarks.append(f"no force field: {why}; energies are not compared")
        self.told = "the geometry as given"

    def geometries(self) -> list[tuple[float, Floats]]:
        """Return energies in kcal/mol and positions in Å."""
        field = self.field.name if self.field else "no force field"
        if len(self.members) == 1 and not self.rotors and not _puckers(self.mol):
            return [(0.0, self.molecule.positions)]
        if self.special:
            self.told = f"rotors of the given geometry turned, seed {self.seed}, no force field"
            return [(0.0, one) for one in self._turned_as_given()]
        self.told = f"RDKit ETKDGv3, seed {self.seed}, {count(self.starts, 'start')}, {field}"
        if len(self.members) > 1:
            self.told += f", {len(self.members)} fragments beside each other"
            return self._settled(self._beside())
        embedded = self._settled(_embedded(self.mol, self.starts, self.seed))
        most = MOST_ROTORS if self.starts >= MANY_STARTS else FEW_ROTORS
        if not embedded or not 0 < len(self.rotors) <= most:
            return embedded
        bases = self._bases(embedded)
        points = grid(self.rotors, MOST_POINTS // len(bases))
        if points:
            shapes = f" of {len(bases)} ring shapes" if len(bases) > 1 else ""
            self.told += f", {len(points)} torsions of {count(len(self.rotors), 'rotor')}{shapes}"
        return embedded + [one for base in bases for one in self._from_grid(base, points)]

    def _bases(self, embedded: Sequence[tuple[float, Floats]]) -> list[Any]:
        """Return the lowest geometry of each shape of the rings, of the lowest shapes."""
        lowest: dict[tuple[int, ...], Any] = {}
        for _, positions in sorted(embedded, key=lambda one: one[0]):
            base = with_positions(self.mol, positions)
            lowest.setdefault(ring_shape(base), base)
        return list(lowest.values())[:MOST_SHAPES]

    def _settled(self, shapes: Iterator[Floats] | Sequence[Floats]) -> list[tuple[float, Floats]]:
        """Return geometries relaxed with the force field, those that are still the molecule."""
        relaxed = (
            self.field.relaxed(shape) if self.field is not None else (0.0, shape)
            for shape in shapes
        )
        return [(energy, bent(self.mol, shape)) for energy, shape in relaxed if self._fits(shape)]

    def _fits(self, positions: Floats) -> bool:
        """Tell whether positions have the bonds and the configuration of the molecule."""
        try:
            check(self.mol, positions, self.molecule.formula)
        except RecipeError:
            return False
        if self.special and changes(self.molecule, self.molecule.moved_to(positions)):
            return False
        if len(self.members) > 1 and not together(self.mol, self.members, positions):
            return False
        return has_configuration(with_positions(self.mol, positions), self.mol)

    def _from_grid(self, base: Any, points: list[tuple[float, ...]]) -> list[tuple[float, Floats]]:
        """Return geometries with torsions at the points of a grid, relaxed."""
        found: list[tuple[float, Floats]] = []
        for angles in points:
            shape = turned(base, self.rotors, angles)
            free = self._settled([shape])
            found += free
            if self.field is None:
                continue
            if not free or self._has_left(free[0][1], angles):
                energy, held = self.field.relaxed(shape, self.rotors, angles)
                found += [(energy, held)] if self._fits(held) else []
        return found

    def _has_left(self, positions: Floats, angles: tuple[float, ...]) -> bool:
        off = torsions(with_positions(self.mol, positions), self.rotors) - angles
        return bool((np.abs((off + 180.0) % 360.0 - 180.0) > LEFT).any())

    def _turned_as_given(self) -> Iterator[Floats]:
        """Yield the given geometry with its rotors turned, as far as nothing collides."""
        yield self.molecule.positions
        points = grid(self.rotors, self.starts)
        if not points:
            random = np.random.default_rng(self.seed)
            points = [
                tuple(float(random.choice(one.angles)) for one in self.rotors)
                for _ in range(self.starts)
            ]
        base = with_positions(self.mol, self.molecule.positions)
        for angles in points:
            shape = turned(base, self.rotors, angles)
            if self._fits(shape):
                yield shape

    def _beside(self) -> Iterator[Floats]:
        """Yield geometries of all fragments beside each other, in random orientations."""
        from rdkit import Chem

        random = np.random.default_rng(self.seed)
        shapes: list[list[Floats]] = []
        parts: Any = Chem.GetMolFrags(self.mol, asMols=True, sanitizeFrags=False)
        for part, members in zip(parts, self.members, strict=True):
            one = list(_embedded(part, max(1, self.starts // 4), self.seed))
            shapes.append(one or [self.molecule.positions[list(members)]])
        yield self.molecule.positions
        for _ in range(self.starts):
            chosen = [one[random.integers(len(one))] for one in shapes]
            yield beside(self.mol, self.members, chosen, random)


def _is_special(mol: Any) -> str:
    """Return why a molecule can neither be embedded nor relaxed here; empty if it can."""
    for atom in mol.GetAtoms():
        if atom.GetDegree() and is_metal(atom.GetAtomicNum()):
            return f"{atom.GetSymbol()} is bonded"
    centres = [shape.centre for shape in shapes(mol) if shape.must]
    return f"{mol.GetAtomWithIdx(centres[0]).GetSymbol()} is hypervalent" if centres else ""


def _puckers(mol: Any) -> bool:
    """Tell whether a ring has more than one shape: of four or more, with saturated atoms."""
    from rdkit.Chem import HybridizationType

    return any(
        len(ring) > 3
        and sum(mol.GetAtomWithIdx(n).GetHybridization() == HybridizationType.SP3 for n in ring) > 1
        for ring in mol.GetRingInfo().AtomRings()
    )


def _embedded(mol: Any, starts: int, seed: int) -> Iterator[Floats]:
    """Yield embedded geometries of one molecule."""
    from rdkit import Chem
    from rdkit.Chem import rdDistGeom

    if mol.GetNumAtoms() == 1:
        yield np.zeros((1, 3))
        return
    copy = Chem.Mol(mol)
    parameters: Any = rdDistGeom.ETKDGv3()
    parameters.randomSeed = seed
    parameters.numThreads = 1
    parameters.maxIterations = ATTEMPTS
    known = list(rdDistGeom.EmbedMultipleConfs(copy, starts, parameters))
    if not known:
        parameters.useRandomCoords = True
        parameters.maxIterations = RANDOM_ATTEMPTS
        known = list(rdDistGeom.EmbedMultipleConfs(copy, starts, parameters))
    for one in known:
        yield copy.GetConformer(one).GetPositions()
