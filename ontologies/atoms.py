"""`ConceptualAtoms`: a structure as every part of Grafico understands it."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Self, cast

import numpy as np
from pydantic import Field, ValidationError, model_validator

from ogm import GraphModel, Motion
from ogm.validation_errors import readable
from triplestore.errors import InputError

from .elements import SYMBOLS, hill_formula
from .units import AtomicNumbers, Cell, Floats, Integers, Periodicity, Positions

if TYPE_CHECKING:
    from ase import Atoms
    from numpy.typing import ArrayLike
    from pymatgen.core import Molecule, Structure

CLOSEST_ATOMS = 0.2
"""Å. Nuclei nearer than this are taken for a mistake."""

ROUNDED = (1e-5, 1e-6)
"""Å. The last decimals of coordinates from files; each may be off by half of it."""
EXACT = 1e-7
"""Å. How far coordinates with more decimals may be off."""

RANGE = 1e-4
"""Å. Width of the ranges in which copies of a structure are looked up at once."""


class ConceptualAtoms(GraphModel):
    """Atoms in space: a molecule, or a crystal where a cell is given.

    Attributes:
        numbers: atomic numbers, shape (atoms,).
        positions: Cartesian coordinates in Å, shape (atoms, 3).
        charge: total charge in units of e.
        multiplicity: 2S+1; when not given, the lowest that the electron count allows.
        cell: lattice vectors in Å as rows, shape (3, 3); None for a molecule.
        periodic: along which lattice vectors the structure repeats, shape (3,); None for none.
        formula: in the Hill order; derived, so that it can be queried.
    """

    numbers: AtomicNumbers
    positions: Positions
    charge: int = 0
    multiplicity: Annotated[int, Field(ge=1)]
    cell: Cell | None = None
    periodic: Periodicity | None = None
    formula: str = ""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            numbers: ArrayLike,
            positions: ArrayLike,
            charge: int = 0,
            multiplicity: int | None = None,
            cell: ArrayLike | None = None,
            periodic: ArrayLike | None = None,
            formula: str = "",
        ) -> None:
            """Say what may be given; the fields say what is kept."""

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        values = dict(cast("Mapping[str, Any]", data))
        try:
            numbers = [int(n) for n in values["numbers"]]
            if values.get("multiplicity") is None:
                electrons = sum(numbers) - int(values.get("charge", 0))
                values["multiplicity"] = 1 + electrons % 2
            values["formula"] = hill_formula(numbers)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError):
            values["multiplicity"] = values.get("multiplicity") or 1  # the fields say what is wrong
        return values

    @model_validator(mode="after")
    def _check(self) -> Self:
        count = len(self.numbers)
        if count == 0:
            raise ValueError("there are no atoms")
        if len(self.positions) != count:
            raise ValueError(f"{count} atomic numbers but {len(self.positions)} positions")
        if self.numbers.min() < 1 or self.numbers.max() >= len(SYMBOLS):
            raise ValueError(f"atomic numbers lie between 1 and {len(SYMBOLS) - 1}")
        if not np.isfinite(self.positions).all():
            raise ValueError("a position is not a finite number")
        if (self.cell is None) != (self.periodic is None):
            raise ValueError("a periodic structure needs both its cell and its periodicity")
        if self.cell is not None and abs(float(np.linalg.det(self.cell))) < 1e-6:
            raise ValueError("the lattice vectors span no volume")
        self._check_electrons()
        self._check_distances()
        return self

    def _check_electrons(self) -> None:
        electrons = self.electrons
        if electrons < 0:
            raise ValueError(
                f"charge {self.charge:+d} takes more electrons than {self.formula} has"
            )
        unpaired = self.multiplicity - 1
        if unpaired > electrons or (electrons - unpaired) % 2:
            lowest = 1 + electrons % 2
            highest = min(electrons + 1, lowest + 4)
            possible = ", ".join(str(m) for m in range(lowest, highest + 1, 2))
            plural = "" if electrons == 1 else "s"
            raise ValueError(
                f"multiplicity {self.multiplicity} cannot be: {self.formula} with charge "
                f"{self.charge:+d} has {electrons} electron{plural}, so it can be {possible}"
            )

    def _check_distances(self) -> None:
        order: Integers = np.argsort(self.positions[:, 0], kind="stable")
        along_x: Floats = self.positions[order]
        for rank in range(1, len(order)):  # each atom and the one so many places further along x
            apart: Floats = along_x[rank:] - along_x[:-rank]
            if apart[:, 0].min() >= CLOSEST_ATOMS:
                return
            distances: Floats = np.linalg.norm(apart, axis=1)
            if distances.min() < CLOSEST_ATOMS:
                at = int(distances.argmin())
                one, two = sorted((int(order[at]), int(order[at + rank])))
                raise ValueError(
                    f"atoms {one + 1} ({self.symbols[one]}) and {two + 1} ({self.symbols[two]}) "
                    f"are {distances.min():.3f} Å apart: nearer than any bond"
                )

    # --- what it is ------------------------------------------------------------------------

    @property
    def symbols(self) -> list[str]:
        """Symbols of the elements, one an atom."""
        return [SYMBOLS[number] for number in self.numbers]

    @property
    def electrons(self) -> int:
        """Number of electrons."""
        return int(self.numbers.sum()) - self.charge

    @property
    def is_periodic(self) -> bool:
        """Whether the structure repeats in some direction."""
        return self.periodic is not None and bool(self.periodic.any())

    def moved_to(self, positions: Floats) -> ConceptualAtoms:
        """Return the same atoms at other positions (Å, shape (atoms, 3))."""
        return self.model_copy(update={"positions": positions})

    def to_xyz(self, comment: str = "") -> str:
        """Write the structure as XYZ text (Å), charge and multiplicity in the comment line."""
        head = f"charge={self.charge} multiplicity={self.multiplicity} {comment}".strip()
        lines = [
            f"{symbol:2s} {x:16.9f} {y:16.9f} {z:16.9f}"
            for symbol, (x, y, z) in zip(self.symbols, self.positions, strict=True)
        ]
        return "\n".join([str(len(lines)), " ".join(head.splitlines()), *lines, ""])

    # --- comparison ------------------------------------------------------------------------

    @property
    def extent(self) -> float:
        """Radius of gyration in Å, atoms weighted by their numbers: all copies have it.

        It is a norm, so that of a copy differs by no more than its atoms are off.
        """
        weights, squares = self._spread()
        return float(np.sqrt(weights @ squares))

    def _spread(self) -> tuple[Floats, Floats]:
        """Return the weights of the atoms, by their numbers, and squared distances from the centre.

        The latter in Å².
        """
        numbers, positions = self.numbers, self.positions
        weights: Floats = numbers / numbers.sum()
        centred: Floats = positions - weights @ positions
        return weights, (centred**2).sum(axis=1)

    @property
    def uncertainty(self) -> float:
        """How far an atom may be off by the rounding of its coordinates, in Å.

        One unit in the last decimal of coordinates with five or six (√3/2 is the most there is),
        as in most files; `EXACT` where there are more. Those with fewer are read as five.
        """
        for unit in ROUNDED:
            scaled = self.positions / unit
            if np.abs(scaled - scaled.round()).max() < 1e-4:
                return unit
        return EXACT

    def coarse(self) -> tuple[str, float]:
        """Return a label shared by copies, moved and renumbered, and their `extent` in Å."""
        numbers = self.numbers if self.cell is not None else np.sort(self.numbers)
        parts = [numbers.tobytes(), str((self.charge, self.multiplicity)).encode()]
        parts += [array.tobytes() for array in (self.cell, self.periodic) if array is not None]
        return hashlib.sha256(b"|".join(parts)).hexdigest()[:32], self.extent

    def likenesses(self, within: float = 0.0) -> list[str]:
        """Return texts of which copies, moved and renumbered, have one; others hardly ever do.

        They tell the label of `coarse`, and the ranges of the `extent` and of the fourth root of
        the mean fourth power of the distances from the same centre. The latter is a norm too,
        but the centre may move as far as the atoms are off, so that it differs by twice as much.

        Args:
            within: how far atoms of copies may be off, in Å; 0 for the one text of this structure.
        """
        (label, extent), (weights, squares) = self.coarse(), self._spread()
        fourth = float(weights @ squares**2) ** 0.25
        places = ((extent, within), (fourth, 2 * within))
        ranges = [
            dict.fromkeys(math.floor(place / RANGE) for place in (number - off, number + off))
            for number, off in places
        ]
        return [f"{label}/{one}/{two}" for one, two in itertools.product(*ranges)]

    def motion_from(self, other: GraphModel) -> Motion | None:
        """Return the motion that carries `other` onto this structure, None if it is no copy.

        Copies of a molecule may be shifted, turned and renumbered; mirror images are none. Every
        atom must then lie within the `uncertainty` of both structures: 2·10⁻⁵ Å if both have five
        decimals, 10⁻⁵ Å if one has, 2·10⁻⁷ Å if both have more than six. In a gradient of
        0.05 Eh/bohr, 10⁻⁵ Å make 10⁻⁶ Eh, so the motion says how far the atoms are off.

        Structures with a cell are compared atom by atom after a translation only.
        """
        if not isinstance(other, ConceptualAtoms) or self.coarse()[0] != other.coarse()[0]:
            return None
        if self == other:
            return Motion()
        if np.array_equal(self.numbers, other.numbers):
            off = np.linalg.norm(self.positions - other.positions, axis=1)
            if off.min() == 0.0 and off.max() > 2 * EXACT:
                return None  # a motion, or rounding, moves all atoms: some were displaced
        tolerance = self.uncertainty + other.uncertainty
        if np.array_equal(self.numbers, other.numbers):
            shift = (self.positions - other.positions).mean(axis=0)
            off = np.linalg.norm(other.positions + shift - self.positions, axis=1)
            if off.max() <= tolerance:
                x, y, z = shift.tolist()
                return Motion((x, y, z), deviation=float(off.max()))
        if self.cell is not None:
            return None
        from .alignment import aligned

        return aligned(self, other, tolerance)

    def equivalent(self, other: ConceptualAtoms, tolerance: float = 0.05) -> bool:
        """Tell whether two structures are the same but for motion and numbering.

        Molecules are aligned by a proper rotation and a permutation, so that mirror images
        differ; crystals are matched as lattices, whichever cell describes them (which does not
        tell mirror images apart). Cells that differ by 1 % or 1° are taken for the same.

        Args:
            other: the structure to compare with.
            tolerance: the root mean square distance allowed between atoms, in Å.
        """
        from . import exchange

        return exchange.equivalent(self, other, tolerance)

    # --- other programs --------------------------------------------------------------------

    def to_ase(self, keep_iri: bool = False) -> Atoms:
        """Return ASE Atoms; charge and multiplicity stand in `info`."""
        from . import exchange

        return exchange.to_ase(self, keep_iri)

    @classmethod
    def from_ase(
        cls, atoms: Atoms, charge: int | None = None, multiplicity: int | None = None
    ) -> ConceptualAtoms:
        """Read ASE Atoms; `charge` and `multiplicity` may be given to override `info`."""
        from . import exchange

        return exchange.from_ase(
            ConceptualAtoms, atoms, {"charge": charge, "multiplicity": multiplicity}
        )

    def to_qcelemental(self, keep_iri: bool = False) -> Any:
        """Return a QCElemental Molecule; what it has no field for stands in `extras`."""
        from . import exchange

        return exchange.to_qcelemental(self, keep_iri)

    @classmethod
    def from_qcelemental(cls, molecule: Any) -> ConceptualAtoms:
        """Read a QCElemental Molecule."""
        from . import exchange

        return exchange.from_qcelemental(ConceptualAtoms, molecule)

    def to_pymatgen(self, keep_iri: bool = False) -> Molecule | Structure:
        """Return a pymatgen Molecule, or a Structure where there is a cell."""
        from . import exchange

        return exchange.to_pymatgen(self, keep_iri)

    @classmethod
    def from_pymatgen(cls, structure: Any) -> ConceptualAtoms:
        """Read a pymatgen Molecule or Structure."""
        from . import exchange

        return exchange.from_pymatgen(ConceptualAtoms, structure)


def make_atoms(source: str, **values: Any) -> ConceptualAtoms:
    """Build a structure from what a person gave.

    Args:
        source: where it came from, for the error message.
        values: the fields.

    Raises:
        InputError: the values do not make a structure; says why.
    """
    try:
        return ConceptualAtoms(**values)
    except ValidationError as error:
        problem = "; ".join(readable(error)).replace("Input should be", "it must be")
        raise InputError(
            f"{source} is no valid structure", problem, "change its atoms, charge or multiplicity"
        ) from error
